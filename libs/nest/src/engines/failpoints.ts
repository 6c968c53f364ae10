import { Failpoints, failpointsAllowed } from '@ponte/event-sourcing';
import type { Runtime } from '../process/runtime';

/**
 * The failpoints of this process, for tests: one may be set from the start, or by an operator of a sandbox. Undefined
 * where failpoints are not allowed.
 */
export function failpointsOf({
  environment,
  failpoint,
}: Pick<Runtime, 'environment' | 'failpoint'>): Failpoints | undefined {
  if (failpoint && environment === 'production') throw new Error('PONTE_FAILPOINT cannot be set in production');
  if (environment === 'production' || (!failpoint && !failpointsAllowed())) return undefined;
  const failpoints = new Failpoints();
  if (failpoint && failpoint !== 'none') failpoints.arm(failpoint);
  return failpoints;
}

import { Failpoints, failpointsAllowed } from '@ponte/event-sourcing';
import type { Runtime } from '../process/runtime';

/**
 * Points at which a test may have this process killed: set from the start, or by an operator of a sandbox. Undefined
 * outside of tests and sandboxes.
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

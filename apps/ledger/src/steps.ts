import type { RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

/**
 * The context for one step of a larger process. The command id derives from the step and its target, not from the
 * caller, so a step that is repeated after a crash, or requested twice, takes effect once. A step has no deadline,
 * because money in transit must not stop when a caller stops waiting.
 */
export const step = (context: RequestContext, ...what: readonly string[]): RequestContext => ({
  ...context,
  commandId: derivedId('ledger', ...what),
  deadline: undefined,
});

import type { RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

/**
 * The context of one step of a larger work. Its command id derives from what the step does and to what, whoever asks
 * for it: a step that is repeated after a crash, or asked for by two, is carried out once. Money that is on its way
 * does not stop because someone no longer waits for it, so a step has no deadline.
 */
export const step = (context: RequestContext, ...what: readonly string[]): RequestContext => ({
  ...context,
  commandId: derivedId('ledger', ...what),
  deadline: undefined,
});

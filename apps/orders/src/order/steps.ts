import type { RequestContext } from '@ponte/event-sourcing';
import { withCommandId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

/**
 * The context of one step of a longer process. Its command id is derived from the step and its target, not from the
 * caller, so a step that is repeated after a crash, or requested twice, is carried out once.
 */
export const step = (context: RequestContext, ...what: readonly string[]): RequestContext =>
  withCommandId(derivedId('orders', ...what), context);

/** The context of a step that has to be carried out even if the caller no longer waits. */
export const withoutDeadline = (context: RequestContext, ...what: readonly string[]): RequestContext => ({
  ...step(context, ...what),
  deadline: undefined,
});

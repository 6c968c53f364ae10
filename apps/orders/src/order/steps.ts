import type { RequestContext } from '@ponte/event-sourcing';
import { withCommandId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

/**
 * The context of one step of a larger work. Its command id derives from the step and its target, not from the caller,
 * so a step that is repeated after a crash, or requested twice, is carried out once.
 */
export const step = (context: RequestContext, ...what: readonly string[]): RequestContext =>
  withCommandId(derivedId('orders', ...what), context);

/** A step that has to be done even when the caller no longer waits. */
export const withoutDeadline = (context: RequestContext, ...what: readonly string[]): RequestContext => ({
  ...step(context, ...what),
  deadline: undefined,
});

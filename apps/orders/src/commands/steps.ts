import type { RequestContext } from '@ponte/event-sourcing';
import { withCommandId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

/**
 * The context of one step of a larger work. Its command id derives from what the step does and to what, whoever asks
 * for it: a step that is repeated after a crash, or asked for by two, is carried out once.
 */
export const step = (context: RequestContext, ...what: readonly string[]): RequestContext =>
  withCommandId(derivedId('orders', ...what), context);

/** A step that has to be done even when the caller no longer waits. */
export const withoutDeadline = (context: RequestContext, ...what: readonly string[]): RequestContext => ({
  ...step(context, ...what),
  deadline: undefined,
});

import type { CommandContext, RequestContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';

/** A command's context. Its business time is read from the clock at each attempt. */
export const commandContext = (context: RequestContext, clock: Clock): CommandContext => ({
  ...context,
  now: () => isoTime(clock.now()),
});

/** The context of work that a service starts by itself (on a timer or at its start). */
export function systemContext(ids: Ids, actor: string): RequestContext {
  const id = ids.next();
  return { commandId: id, correlationId: id, actor };
}

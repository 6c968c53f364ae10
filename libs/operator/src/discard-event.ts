import type { DiscardPlace, OperatorOutcome, ParkedEvent } from '@ponte/event-sourcing';
import { OperatorError } from './desk';
import { named, toldDiscards } from './told-discards';
import type { OperatorReason, OperatorTools } from './tools';
import { recorded } from './tools';

/** False for an event that a restored log no longer has. */
export async function inLog(tools: OperatorTools, { key, event: { id, revision } }: ParkedEvent): Promise<boolean> {
  return (await tools.readStream(key, revision)).some((one) => one.id === id);
}

/** Discards one event, and records it. Throws if it was not discarded. `more` is added to the outcome. */
export function discardEvent(
  tools: OperatorTools,
  one: ParkedEvent,
  reason: OperatorReason,
  place: DiscardPlace,
  more = '',
): Promise<OperatorOutcome> {
  const { parkedEvents, systemClock } = tools;
  const {
    group,
    key,
    event: { id },
  } = one;
  return recorded(tools, 'parked discard', { group, key, event: id }, reason, async () => {
    const discardedAt = new Date(systemClock.now()).toISOString();
    await parkedEvents.discard(group, id, { actor: reason.actor, why: reason.reason, discardedAt }, place);
    if ((await parkedEvents.place(group, key, id)).own)
      throw new OperatorError(`${id} was not discarded, because an earlier event of ${key} was parked meanwhile`);
    const { succeeded, detail } = await discardedBefore(tools, id, group);
    if (!succeeded) throw new OperatorError(detail);
    return `${group} will never handle ${named(one)}${more}`;
  });
}

/** What became of an event that is not parked. */
export async function discardedBefore(
  tools: OperatorTools,
  id: string,
  group: string | undefined,
): Promise<OperatorOutcome> {
  const discardTexts = await toldDiscards(tools, id, group);
  return discardTexts === undefined
    ? { succeeded: false, detail: `${id} is not parked: it was released and handled, or never parked` }
    : { succeeded: true, detail: discardTexts };
}

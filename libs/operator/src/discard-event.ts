import type { OperatorOutcome, ParkedEvent, Recorded } from '@ponte/event-sourcing';
import { gapBefore, PARKED_LEFT_OUT } from '@ponte/event-sourcing';
import { OperatorError } from './action-runner';
import { describeDiscards, parkedLabel } from './describe-discards';
import type { OperatorReason, OperatorTools } from './tools';
import { recorded } from './tools';

/**
 * A parked event as the log has it, at its revision or another one: it may be recorded again after a restore. Undefined
 * if the log does not have it.
 */
export const inLog = (tools: OperatorTools, { key, event }: ParkedEvent): Promise<Recorded | undefined> =>
  tools.findEvent(key, event);

/**
 * A gap that would be forgotten if the event were discarded now, because no event behind it could mark the gap. It is
 * void if the log has no event in it: what a restore undid is not missing.
 */
async function lastMarkOf(
  { parkedEvents, readStream }: OperatorTools,
  { group, key, event }: ParkedEvent,
): Promise<'open' | 'void' | undefined> {
  const { own } = await parkedEvents.place(group, key, event.id);
  const gap = own && gapBefore(own);
  if (!gap) return undefined;
  const waiting = await parkedEvents.list(group, key);
  if (waiting.some((one) => one.event.revision > event.revision && one.reason !== PARKED_LEFT_OUT)) return undefined;
  return (await readStream(key, gap.from ?? 0)).length > 0 ? 'open' : 'void';
}

/** Whether the event must not be discarded now: the next one of its stream would be handled without missing ones. */
export const isLastMark = async (tools: OperatorTools, one: ParkedEvent): Promise<boolean> =>
  (await lastMarkOf(tools, one)) === 'open';

/** Discards one event of the log, and records it. Throws if it was not discarded. `more` is added to the outcome. */
export function discardEvent(
  tools: OperatorTools,
  one: ParkedEvent,
  reason: OperatorReason,
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
    await parkedEvents.discard(group, id, { actor: reason.actor, why: reason.reason, discardedAt });
    if ((await parkedEvents.place(group, key, id)).own)
      throw new OperatorError(
        `${id} was not discarded, because an earlier event of ${key} was parked meanwhile, or it marks a gap that no ` +
          'event behind it could mark',
      );
    const { succeeded, detail } = await discardedBefore(tools, id, group);
    if (!succeeded) throw new OperatorError(detail);
    return `${group} will never handle ${parkedLabel(one)}${more}`;
  });
}

/**
 * Removes one event that the log does not have, and records it. Throws if it was not removed. It is not discarded: a
 * request that is repeated may record it again under the same id, and its group must then handle it.
 */
export function discardUndoneEvent(
  tools: OperatorTools,
  one: ParkedEvent,
  reason: OperatorReason,
  more = '',
): Promise<OperatorOutcome> {
  const { parkedEvents } = tools;
  const {
    group,
    key,
    event: { id, revision },
  } = one;
  const recordedAgain = () =>
    new OperatorError(`${id} has just been recorded again, so it stays parked; release its stream`);
  return recorded(tools, 'parked discard', { group, key, event: id }, reason, async () => {
    // Others may have been discarded for minutes since it was looked for.
    if (await inLog(tools, one)) throw recordedAgain();
    if ((await lastMarkOf(tools, one)) === 'void') await parkedEvents.gapFilled(group, id);
    await parkedEvents.removeUndone(group, id, revision, async () => (await inLog(tools, one)) !== undefined);
    const { own } = await parkedEvents.place(group, key, id);
    if (own && (own.event.revision !== revision || (await inLog(tools, one)))) throw recordedAgain();
    if (own)
      throw new OperatorError(`${id} was not removed, because it marks a gap that no event behind it could mark`);
    return `${parkedLabel(one)} is not parked any more; ${group} handles it only if it is recorded again${more}`;
  });
}

/** What became of an event that is not parked. */
export async function discardedBefore(
  tools: OperatorTools,
  id: string,
  group: string | undefined,
): Promise<OperatorOutcome> {
  const discardTexts = await describeDiscards(tools, id, group);
  return discardTexts === undefined
    ? {
        succeeded: false,
        detail:
          `${id} is not parked: it was released and handled, or never parked, or discarded because the log did not have ` +
          'it; "actions" lists what operators did',
      }
    : { succeeded: true, detail: discardTexts };
}

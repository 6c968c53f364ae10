import type { ParkedEvent } from '@ponte/event-sourcing';
import { shownReasons } from '@ponte/event-sourcing';
import { Command } from 'commander';
import { OperatorError } from './action-runner';
import { discardUndoneEvent, inLog, isLastMark } from './discard-event';
import { printRows } from './table';
import type { OperatorTools } from './tools';
import type { ChangeFlags, VerbOptions } from './verb-options';
import { changing, failUnless, upTo } from './verb-options';

interface Flags extends ChangeFlags {
  readonly group?: string;
  readonly limit: number;
  readonly confirm?: boolean;
}

const MAX_EVENTS = 1_000;

/**
 * Removes the parked events that a restored log no longer has. Nothing is lost, so they need not be the first. One that
 * is recorded again later is handled like any other. One that alone marks a gap stays: without the mark, the next event
 * would be handled without the missing ones.
 */
export function discardUndoneVerb(options: VerbOptions): Command {
  return changing(
    new Command('discard-undone')
      .description(
        'list the parked events that the log does not have, because a restore undid them; with --confirm, remove them',
      )
      .option('--group <group>', 'only those of this consumer group')
      .option('--limit <count>', `maximum number of events, 1 to ${MAX_EVENTS}`, upTo(MAX_EVENTS), 100)
      .option('--confirm', 'remove the events; one that is recorded again is handled'),
  ).action((flags: Flags) => discardUndone(options, flags));
}

async function discardUndone({ tools, print }: VerbOptions, flags: Flags): Promise<void> {
  const { limit } = flags;
  const all = await tools();
  const { found, isAll } = await undone(all, await all.parkedEvents.list(flags.group), limit);
  const rows = [];
  for (const one of found)
    rows.push({ ...lineOf(one.event), outcome: one.isLastMark ? LAST_MARK : await outcomeOf(all, one.event, flags) });
  printRows(print, rows, { json: flags.json, none: 'every parked event is in the log' });
  if (!flags.json && rows.length > 0) print(nextStep(found, flags) + (isAll ? '' : `; ${moreThan(limit)}`));
  failUnless(!flags.confirm || rows.every(({ outcome }) => outcome === REMOVED));
}

const REMOVED = 'removed';
const LAST_MARK = 'not removed: it marks a gap, so release its stream first';
const moreThan = (limit: number): string => `there are more than these ${limit}; repeat the command for the rest`;

function nextStep(found: readonly Undone[], { confirm }: Flags): string {
  if (confirm) return 'next, release the streams in which other events are still parked';
  const isAny = found.some(({ isLastMark }) => !isLastMark);
  return `nothing was changed${isAny ? '; repeat the command with --confirm to remove these events' : ''}`;
}

async function outcomeOf(tools: OperatorTools, one: ParkedEvent, flags: Flags): Promise<string> {
  if (!flags.confirm) return 'not changed';
  // When those before it were removed, it may be the last one that marks their gap.
  if (await isLastMark(tools, one)) return LAST_MARK;
  try {
    await discardUndoneEvent(tools, one, flags);
    return REMOVED;
  } catch (error) {
    if (error instanceof OperatorError) return `not removed: ${error.message}`;
    throw error;
  }
}

/** A parked event that the log does not have. */
interface Undone {
  readonly event: ParkedEvent;
  /** Whether it has to stay, because it alone marks a gap. */
  readonly isLastMark: boolean;
}

/**
 * The first of the parked events that the log does not have. Each is looked for by its id. Those that have to stay do
 * not count towards the limit: otherwise, they could keep others from ever being discarded.
 */
async function undone(
  tools: OperatorTools,
  parked: readonly ParkedEvent[],
  limit: number,
): Promise<{ readonly found: readonly Undone[]; readonly isAll: boolean }> {
  const found: Undone[] = [];
  let count = 0;
  for (const event of parked) {
    if (await inLog(tools, event)) continue;
    const isMark = await isLastMark(tools, event);
    if (!isMark && count === limit) return { found, isAll: false };
    found.push({ event, isLastMark: isMark });
    count += isMark ? 0 : 1;
  }
  return { found, isAll: true };
}

const lineOf = (parked: ParkedEvent) => ({
  group: parked.group,
  stream: parked.key,
  revision: parked.event.revision,
  type: parked.event.type,
  event: parked.event.id,
  reason: shownReasons(parked),
});

import type { DiscardedEvent, ParkedEvent } from '@ponte/event-sourcing';
import { gapBefore, shownReasons } from '@ponte/event-sourcing';
import { Command } from 'commander';
import { OperatorError } from './action-runner';
import { discardedBefore, discardEvent, discardUndoneEvent, inLog, isLastMark } from './discard-event';
import { age, printRows } from './table';
import type { ChangeFlags, VerbOptions } from './verb-options';
import { changing, report } from './verb-options';

interface Flags extends ChangeFlags {
  readonly group?: string;
  readonly confirm?: boolean;
}

/**
 * Makes a consumer skip a parked event. Without `--confirm` it only shows what would be lost. The event stays in the
 * log, and other consumers are not affected.
 */
export function discardVerb(options: VerbOptions): Command {
  return changing(
    new Command('discard')
      .description('show what is lost if a consumer never handles a parked event; with --confirm, discard the event')
      .argument('<id>', 'the id of the event, which must be the first parked event of its stream')
      .option('--group <group>', 'required if several groups have parked it')
      .option('--confirm', 'discard the event; this cannot be undone'),
  ).action((id: string, flags: Flags) => discard(options, id, flags));
}

/** Lists the events that consumers will never handle. */
export function discardedVerb({ tools, print }: VerbOptions): Command {
  return new Command('discarded')
    .description('list the events that operators discarded: who, when and why')
    .option('--group <group>', 'only those of this consumer group')
    .option('--json', 'print JSON')
    .action(async ({ group, json }: Pick<Flags, 'group' | 'json'>) => {
      const found = await (await tools()).parkedEvents.discarded(group);
      printRows(print, found.map(lineOf), { json, none: 'nothing was discarded' });
    });
}

const lineOf = ({ group, key, event, actor, why, discardedAt, ...parked }: DiscardedEvent) => ({
  group,
  stream: key,
  revision: event.revision,
  type: event.type,
  event: event.id,
  'discarded-at': discardedAt,
  actor,
  why,
  'parked-because': shownReasons({ event, ...parked }),
});

async function discard({ tools, print }: VerbOptions, id: string, flags: Flags): Promise<void> {
  const all = await tools();
  const { parkedEvents, systemClock } = all;
  const ofGroup = await parkedEvents.list(flags.group);
  const [one, ...others] = ofGroup.filter(({ event }) => event.id === id);
  if (!one) return report(print, await discardedBefore(all, id, flags.group), flags.json);
  if (others.length > 0)
    throw new OperatorError(
      `${id} is parked for ${[one, ...others].map(({ group }) => group).join(', ')}; choose one with --group`,
    );
  const waiting = ofGroup.filter(({ group, key }) => group === one.group && key === one.key);
  const [first] = waiting;
  // A restored log may have another event at the revision of one that it lost.
  if (first && first.event.revision < one.event.revision)
    throw new OperatorError(`${id} waits behind ${first.event.id}; only the first event of a stream can be discarded`);
  const logged = await inLog(all, one);
  if (all.rewindable.includes(one.group) && logged)
    throw new OperatorError(
      `${one.group} publishes the events of a stream without gaps, so an event that is in the log is not discarded; ` +
        'release it after the repair',
    );
  // The store makes the next event behind it mark a gap.
  if (await isLastMark(all, one))
    throw new OperatorError(
      `${id} marks a gap, and no later parked event could mark it instead: the next event of the stream would be handled ` +
        'without the missing ones. Release the stream first, and follow the instructions of that command',
    );
  const behind = waiting.length - 1;
  if (!flags.confirm) {
    const shown = preview(one, waiting, logged?.revision, systemClock.now());
    return print(
      flags.json
        ? JSON.stringify(shown)
        : Object.entries(shown)
            .map(([k, v]) => `${k}: ${v}`)
            .join('\n'),
    );
  }
  const rest = behind === 0 ? 'nothing waits behind it' : `${behind} behind it stay parked until they are released`;
  const outcome = await (logged ? discardEvent : discardUndoneEvent)(all, one, flags, `; ${rest}`);
  report(print, outcome, flags.json);
}

/**
 * `waiting` are the parked events of the stream; the first of them is `one`. `revision` is where the log has it,
 * undefined if it does not.
 */
function preview(one: ParkedEvent, waiting: readonly ParkedEvent[], revision: number | undefined, now: number) {
  const { group, key, event, reason, parkedAt, failedAgain } = one;
  const behind = waiting.length - 1;
  return {
    group,
    stream: key,
    event: `${event.id}, revision ${event.revision}, ${event.type}`,
    'occurred-at': event.meta.occurredAt,
    parked: `${age(parkedAt, now)} ago: ${reason}`,
    ...(failedAgain
      ? { 'failed-again': `${failedAgain.times}x, last ${age(failedAgain.at, now)} ago: ${failedAgain.reason}` }
      : {}),
    'in-log':
      revision === undefined
        ? 'no: the log was restored to an earlier state, so nothing is lost; if it is recorded again, it is handled'
        : revision === event.revision
          ? 'yes'
          : `yes: recorded again after a restore, at revision ${revision}`,
    lost:
      revision === undefined
        ? 'nothing'
        : `what ${group} does because of ${event.type}; other services and the log are not affected`,
    gap: gapIn(waiting),
    behind: behind === 0 ? 'nothing' : `${behind} later events; they stay parked until they are released`,
    next: 'nothing was changed; repeat the command with --confirm to discard the event',
  };
}

/** Whether events before a parked one are missing, and what that means for the commands that follow. */
function gapIn(waiting: readonly ParkedEvent[]): string {
  const marked = waiting.find((parked) => gapBefore(parked) !== undefined);
  if (marked === undefined) return 'no';
  const it = marked === waiting[0] ? 'it' : `revision ${marked.event.revision}`;
  return (
    `yes: events before ${it} in its stream were missing when it was parked. No release handles events after them ` +
    'until they are parked or discarded too. If this event is discarded, the next parked event marks the gap'
  );
}

import type { OperatorOutcome, ParkedEvent } from '@ponte/event-sourcing';
import { gapBefore, shownReasons } from '@ponte/event-sourcing';
import { Command } from 'commander';
import { OperatorError } from './action-runner';
import { discardUndoneVerb } from './discard-undone';
import { discardedVerb, discardVerb } from './discard.verbs';
import { parkedFor } from './release-by-reason';
import { age, printRows } from './table';
import type { ChangeFlags, VerbOptions } from './verb-options';
import { changing, report } from './verb-options';
import { addStreamRelease } from './stream-release';
import { perform } from './tools';

/** Minimum length of the text that selects parked streams. */
const MIN_TEXT = 3;

/** Commands to show and release events that a consumer could not handle. */
export function parkedVerbs(options: VerbOptions): Command {
  const parked = new Command('parked').description(
    'list, show, release and discard events that a consumer could not handle',
  );
  return parked
    .addCommand(list(options))
    .addCommand(show(options))
    .addCommand(release(options))
    .addCommand(releaseByReason(options))
    .addCommand(discardVerb(options))
    .addCommand(discardUndoneVerb(options))
    .addCommand(discardedVerb(options));
}

function list({ tools, print }: VerbOptions): Command {
  return new Command('list')
    .description('show parked events, by consumer group and stream')
    .option('--group <group>', 'only those of this consumer group')
    .option('--topic <service>', 'only events of this service')
    .option('--json', 'print JSON')
    .action(async ({ group, topic, json }: { group?: string; topic?: string; json?: boolean }) => {
      const { parkedEvents, categoriesOf, systemClock } = await tools();
      const categories = topic === undefined ? undefined : categoriesOf(topic);
      const rows = (await parkedEvents.list(group)).filter(
        ({ key }) => categories === undefined || categories.includes(key.slice(0, key.indexOf('-'))),
      );
      printRows(print, rows.map(line), {
        json,
        none: 'nothing is parked',
        shown: ({ group: consumer, key: stream, revision, type, event, ...row }) => ({
          ...{ group: consumer, stream, revision, type, event, age: age(row['parked-at'], systemClock.now()) },
          'failed-again': shownFailures(row, systemClock.now()),
          reason: row.reason,
        }),
      });
    });
}

/** `reason` is why the event is parked now, `first-reason` why it was parked at `parked-at`. */
const line = (parked: ParkedEvent) => ({
  group: parked.group,
  key: parked.key,
  revision: parked.event.revision,
  type: parked.event.type,
  event: parked.event.id,
  'parked-at': parked.parkedAt,
  reason: shownReasons(parked),
  'first-reason': parked.reason,
  'failed-again-at': parked.failedAgain?.at ?? null,
  'failed-again': parked.failedAgain?.times ?? 0,
  'missing-from': gapBefore(parked)?.from ?? null,
});

const shownFailures = (
  row: Pick<ReturnType<typeof line>, 'failed-again' | 'failed-again-at'>,
  now: number,
): string | null =>
  row['failed-again-at'] === null ? null : `${row['failed-again']}x, ${age(row['failed-again-at'], now)} ago`;

function show({ tools, print }: VerbOptions): Command {
  return new Command('show')
    .description('show one parked event with its data; personal data stays encrypted')
    .argument('<id>', 'the id of the event')
    .action(async (id: string) => {
      const { parkedEvents } = await tools();
      const found = (await parkedEvents.list()).filter(({ event }) => event.id === id);
      if (found.length === 0) throw new OperatorError(`no parked event has the id ${id}; "parked list" shows all`);
      print(JSON.stringify(found, null, 2));
    });
}

function release(options: VerbOptions): Command {
  return addStreamRelease(
    options,
    new Command('release')
      .description('deliver the parked events of a stream to their consumer again, in order')
      .argument('<id-or-key>', 'the id of a parked event, or the name of its stream'),
    ({ key, event }, which) => key === which || event.id === which,
  );
}

function releaseByReason(options: VerbOptions): Command {
  const { tools, print } = options;
  return changing(
    new Command('release-by-reason')
      .description('release every stream that is parked only for reasons that contain a text')
      .argument('<text>', 'part of the reason, as "parked list" shows it; at least three characters')
      .option('--group <group>', 'only those of this consumer group'),
  ).action(async (text: string, flags: ChangeFlags & { group?: string }) => {
    if (text.trim().length < MIN_TEXT)
      throw new OperatorError(
        `the text has ${text.trim().length} characters; at least ${MIN_TEXT} are required, so that not everything is released by accident`,
      );
    const all = await tools();
    const parked = await all.parkedEvents.list(flags.group);
    const found = [...new Set(parked.map(({ group }) => group))].flatMap((group) => {
      const { only, alsoOther } = parkedFor(
        parked.filter((one) => one.group === group),
        text,
      );
      // One key is enough to find a process that consumes for the group.
      const [key] = [...only, ...alsoOther];
      return key === undefined ? [] : [{ group, key }];
    });
    if (found.length === 0)
      return report(
        print,
        { succeeded: true, detail: `no stream is parked with a reason that contains "${text}"` },
        flags.json,
      );
    const outcomes: OperatorOutcome[] = [];
    for (const one of found) outcomes.push(await perform(all, 'parked release-by-reason', { ...one, text }, flags));
    report(
      print,
      {
        succeeded: outcomes.every(({ succeeded }) => succeeded),
        detail: outcomes.map(({ detail }) => detail).join('; '),
      },
      flags.json,
    );
  });
}

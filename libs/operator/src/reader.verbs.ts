import type { OperatorOutcome } from '@ponte/event-sourcing';
import { rebuildNamesOf } from '@ponte/read-models';
import { Command } from 'commander';
import { OperatorError } from './action-runner';
import type { ChangeFlags, VerbOptions } from './verb-options';
import { changing, failUnless, report } from './verb-options';
import { behind, START } from './log-positions';
import { printRows, withUnit } from './table';
import type { OperatorTools } from './tools';
import { perform } from './tools';

/** Commands for checkpoints, read models and relays. */
export const readerVerbs = (options: VerbOptions): Command[] => [
  checkpoints(options),
  readModels(options),
  relay(options),
];

function checkpoints({ tools, print }: VerbOptions): Command {
  return new Command('checkpoints')
    .description('list every reader of the log with its position and how far it is behind the end')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const all = await tools();
      const [kept, ofReadModels, head] = [
        await all.operator.checkpoints(),
        await all.readModelCheckpoints(),
        await all.head(),
      ];
      const rows = [
        ...kept.map((one) => ({ ...one, of: 'events' })),
        ...ofReadModels.map((one) => ({ ...one, of: 'read-models' })),
      ];
      printRows(
        print,
        rows.map(({ reader, of, position, fence }) => ({
          reader,
          of,
          position: position || START,
          behind: behind(position, head),
          fence,
        })),
        {
          json,
          none: 'no reader has a position yet',
          shown: ({ of, fence: _, ...row }) => ({ ...withUnit(row, all.systemClock.now()), 'kept with': of }),
        },
      );
    });
}

function readModels(options: VerbOptions): Command {
  return new Command('read-models')
    .description('list and rebuild read models')
    .addCommand(listReadModels(options))
    .addCommand(rebuild(options));
}

function listReadModels({ tools, print }: VerbOptions): Command {
  return new Command('list')
    .description('list the read models, how far they are behind the log, and their problems')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const all = await tools();
      const [kept, head] = [await all.readModelCheckpoints(), await all.head()];
      const troubles = new Map(
        (await all.operator.troubles()).map(({ reader, trouble, since }) => [reader, `${trouble} (since ${since})`]),
      );
      const rows = all.readModels.map((readModel) => {
        const position = kept.find(({ reader }) => reader === readModel.reader)?.position;
        return {
          name: readModel.name,
          position: position ?? null,
          behind: behind(position, head),
          tables: readModel.tables.join(', '),
          trouble: troubles.get(readModel.reader) ?? null,
        };
      });
      printRows(print, rows, {
        json,
        none: 'this service has no read models',
        shown: ({ tables: _, ...row }) => withUnit(row, all.systemClock.now()),
      });
    });
}

function rebuild(options: VerbOptions): Command {
  const { tools, print } = options;
  return changing(
    new Command('rebuild')
      .description('rebuild read models from the log')
      .argument('[names...]', 'the read models to rebuild')
      .option('--all', 'rebuild all read models'),
  ).action(async (names: string[], flags: ChangeFlags & { all?: boolean }) => {
    const all = await tools();
    const known = all.readModels.map(({ name }) => name);
    const wanted = flags.all ? known : names;
    if (wanted.length === 0)
      throw new OperatorError(`name a read model, or use --all; this service has: ${listed(known)}`);
    assertKnown(wanted, known, 'read model');
    const meant = all.readModels.filter(({ name }) => wanted.includes(name));
    report(print, await perform(all, 'read-models rebuild', rebuildNamesOf(meant), flags), flags.json);
  });
}

function relay(options: VerbOptions): Command {
  return new Command('relay')
    .description('list and rewind relays, which publish or deliver the events of the log')
    .addCommand(showRelays(options))
    .addCommand(rewind(options));
}

function showRelays({ tools, print }: VerbOptions): Command {
  return new Command('show')
    .description(
      'list the readers that can be rewound (relays, the outbox, readers of the bank and of chains), how far they ' +
        'are behind, and their problems',
    )
    .argument('[name]', 'show only this reader')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, { json }: { json?: boolean }) => {
      const all = await tools();
      const known = rewindables(all);
      if (name !== undefined) assertKnown([name], known, 'relay');
      const head = await all.head();
      const [kept, troubles] = [await all.operator.checkpoints(), await all.operator.troubles()];
      const outside = new Map((await all.timePositions()).map(({ reader, position }) => [reader, position]));
      const rows = known
        .filter((reader) => name === undefined || reader === name)
        .map((reader) => {
          const position = outside.get(reader) ?? kept.find((one) => one.reader === reader)?.position;
          return {
            relay: reader,
            position: position || START,
            behind: behind(position, head),
            trouble: troubles.find((one) => one.reader === reader)?.trouble ?? null,
          };
        });
      printRows(print, rows, {
        json,
        none: 'this service has no relays',
        shown: (row) => withUnit(row, all.systemClock.now()),
      });
    });
}

const rewindables = ({ rewindable, timeReaders }: OperatorTools): string[] => [
  ...rewindable,
  ...timeReaders.map(({ name }) => name),
];

function rewind(options: VerbOptions): Command {
  const { tools, print } = options;
  return changing(
    new Command('rewind')
      .description(
        'move a relay or another reader that can be rewound back to an earlier position; handling ' +
          'something again has no second effect',
      )
      .argument('[name]', 'the name of the reader, as "relay show" lists it')
      .option('--all', 'move every reader of the log')
      .requiredOption(
        '--to <position>',
        `a position as checkpoints shows it, or ${START}; of a reader of the bank or of a chain, a time`,
      ),
  ).action(async (name: string | undefined, flags: ChangeFlags & { all?: boolean; to: string }) => {
    const all: OperatorTools = await tools();
    if ((name === undefined) !== (flags.all === true))
      throw new OperatorError(`name a relay, or use --all; this service has: ${listed(rewindables(all))}`);
    if (name !== undefined) {
      assertKnown([name], rewindables(all), 'relay');
      return report(print, await perform(all, 'relay rewind', { reader: name, to: flags.to }, flags), flags.json);
    }
    const ends: (Pick<OperatorOutcome, 'succeeded' | 'detail'> & Record<string, unknown>)[] = [];
    for (const reader of all.rewindable)
      ends.push({ relay: reader, ...(await perform(all, 'relay rewind', { reader, to: flags.to }, flags)) });
    if (flags.json) printRows(print, ends, { json: true, none: '' });
    else ends.forEach(({ detail }) => print(detail));
    failUnless(ends.every(({ succeeded }) => succeeded));
  });
}

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

function assertKnown(wanted: readonly string[], known: readonly string[], kind: string): void {
  const strange = wanted.find((name) => !known.includes(name));
  if (strange !== undefined) throw new OperatorError(`unknown ${kind} ${strange}; this service has: ${listed(known)}`);
}

import type { OperatorOutcome } from '@ponte/event-sourcing';
import { Command } from 'commander';
import { OperatorError } from './desk';
import type { VerbOptions } from './verb-options';
import { changing, report } from './verb-options';
import { printRows } from './table';
import type { OperatorTools } from './tools';
import { perform } from './tools';

/** The copies of parked events on the brokers. */
export function letterVerbs(options: VerbOptions): Command[] {
  const { tools, print } = options;
  const list = new Command('list')
    .description('dead letters that the brokers still keep, newest last')
    .option('--json', 'for machines')
    .action(async ({ json }: { json?: boolean }) => {
      const { deadLetters } = await tools();
      if (!deadLetters)
        throw new OperatorError('without brokers there are no dead letters; "parked list" shows what waits');
      printRows(
        print,
        (await deadLetters()).map((letter) => ({ ...letter })),
        { json, none: 'the brokers keep no dead letter' },
      );
    });
  const replay = changing(
    new Command('replay')
      .description('hand the event of a dead letter, and those of its stream that wait behind it, over again')
      .argument('<event-id>', 'as dead-letters list shows it'),
    options,
  ).action(async (eventId: string, flags: { actor: string; reason: string; json?: boolean }) => {
    const all = await tools();
    const found = (await all.parkedEvents.list()).find(({ event }) => event.id === eventId);
    if (!found)
      return report(
        print,
        {
          succeeded: true,
          detail: `${eventId} is not parked here: it was handled after it was released, or never parked`,
        },
        flags.json,
      );
    report(print, await perform(all, 'parked release', { group: found.group, key: found.key }, flags), flags.json);
  });
  return [
    new Command('dead-letters')
      .description('copies of parked events on the brokers')
      .addCommand(list)
      .addCommand(replay),
  ];
}

/** Keys that this installation holds itself. */
export function keyVerbs(options: VerbOptions): Command[] {
  const { tools, print } = options;
  const rewrap = changing(
    new Command('rewrap').description('wrap the keys of persons under a new master key; may be repeated after a crash'),
    options,
  ).action(async (flags: { actor: string; reason: string; json?: boolean }) => {
    const all = await tools();
    const { rewrapKeys } = all;
    if (!rewrapKeys) throw new OperatorError('this service holds no keys');
    report(print, await kept(all, 'keys rewrap', flags, () => rewrapKeys()), flags.json);
  });
  return [new Command('keys').description('the keys of persons').addCommand(rewrap)];
}

/** What the edge keeps of requests that were answered. */
export function edgeVerbs(options: VerbOptions): Command[] {
  const { tools, print } = options;
  const forget = changing(
    new Command('forget').description(
      'after a restore: forget which request was answered how, since what was lost would be answered as if it stood',
    ),
    options,
  ).action(async (flags: { actor: string; reason: string; json?: boolean }) => {
    const all = await tools();
    const { forgetAnswers } = all;
    if (!forgetAnswers)
      throw new OperatorError('only the gateway keeps answers; those of a data folder are in its edge.db');
    report(
      print,
      await kept(all, 'edge forget', flags, async () => {
        await forgetAnswers();
        return 'the edge has forgotten the keys of all requests; one that is sent again is carried out as if it were new';
      }),
      flags.json,
    );
  });
  return [
    new Command('edge').description('answers that are kept for requests which are sent again').addCommand(forget),
  ];
}

/** Done by this process itself, and kept with who and why. What fails is thrown, and kept as failed. */
async function kept(
  { operator: { actions }, systemClock, ids }: OperatorTools,
  verb: string,
  { actor, reason }: { actor: string; reason: string },
  work: () => Promise<string>,
): Promise<OperatorOutcome> {
  const now = () => new Date(systemClock.now()).toISOString();
  const id = ids.next();
  await actions.ask({ id, verb, subject: {}, actor, reason, askedAt: now() });
  await actions.take(id, `operator ${actor}`);
  try {
    const outcome = { succeeded: true, detail: await work() };
    await actions.end(id, outcome, now());
    return outcome;
  } catch (error) {
    await actions.end(
      id,
      {
        succeeded: false,
        detail: error instanceof OperatorError ? error.message : 'it did not come to its end; ask again',
      },
      now(),
    );
    throw error;
  }
}

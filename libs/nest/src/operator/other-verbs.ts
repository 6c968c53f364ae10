import { Command } from 'commander';
import { OperatorFault } from './desk';
import type { VerbOptions } from './program';
import { changing, report } from './program';
import { printRows } from './table';
import { perform } from './tools';

/** The copies of parked events on the brokers. */
export function letterVerbs(options: VerbOptions): Command[] {
  const { tools, print } = options;
  const list = new Command('list').description('dead letters that the brokers still keep, newest last')
    .option('--json', 'for machines')
    .action(async ({ json }: { json?: boolean }) => {
      const { deadLetters } = await tools();
      if (!deadLetters) throw new OperatorFault('without brokers there are no dead letters; "parked list" shows what waits');
      printRows(print, (await deadLetters()).map((letter) => ({ ...letter })), { json, none: 'the brokers keep no dead letter' });
    });
  const replay = changing(new Command('replay').description('hand the event of a dead letter, and those of its stream that wait behind it, over again')
    .argument('<event-id>', 'as dead-letters list shows it'), options)
    .action(async (eventId: string, flags: { actor: string; reason: string; json?: boolean }) => {
      const all = await tools();
      const found = (await all.parkedEvents.list()).find(({ event }) => event.id === eventId);
      if (!found) return report(print, { succeeded: true, detail: `${eventId} is not parked here: it was handled after it was released, or never parked` }, flags.json);
      report(print, await perform(all, 'parked release', { group: found.group, key: found.key }, flags), flags.json);
    });
  return [new Command('dead-letters').description('copies of parked events on the brokers').addCommand(list).addCommand(replay)];
}

/** Keys that this installation holds itself. */
export function keyVerbs(options: VerbOptions): Command[] {
  const { tools, print } = options;
  const rewrap = changing(new Command('rewrap').description('wrap the keys of persons under a new master key; may be repeated after a crash'), options)
    .action(async (flags: { actor: string; reason: string; json?: boolean }) => {
      const all = await tools();
      if (!all.rewrapKeys) throw new OperatorFault('this service holds no keys');
      const { actions } = all.operator;
      const now = () => new Date(all.systemClock.now()).toISOString();
      const id = all.ids.next();
      await actions.ask({ id, verb: 'keys rewrap', subject: {}, actor: flags.actor, reason: flags.reason, askedAt: now() });
      await actions.take(id, `operator ${flags.actor}`);
      try {
        const detail = await all.rewrapKeys();
        await actions.end(id, { succeeded: true, detail }, now());
        report(print, { succeeded: true, detail }, flags.json);
      } catch (error) {
        await actions.end(id, { succeeded: false, detail: error instanceof OperatorFault ? error.message : 'it did not come to its end; ask again' }, now());
        throw error;
      }
    });
  return [new Command('keys').description('the keys of persons').addCommand(rewrap)];
}

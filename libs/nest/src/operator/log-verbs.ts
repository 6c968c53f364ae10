import { Command } from 'commander';
import { LOG_SKIP } from '../log-faults';
import { OperatorFault } from './desk';
import type { VerbOptions } from './program';
import { changing, report } from './program';
import { perform } from './tools';

/** The log itself. */
export function logVerbs(options: VerbOptions): Command {
  const { tools, print } = options;
  const skip = changing(new Command('skip').description('have the readers of this service pass over an event that this system did not write, and that stops them')
    .requiredOption('--stream <name>', 'the stream of the event, as the fault names it')
    .requiredOption('--revision <number>', 'its revision'), options)
    .action(async ({ stream, revision, ...flags }: { stream: string; revision: string; actor: string; reason: string; json?: boolean }) => {
      if (!/^\d+$/.test(revision)) throw new OperatorFault(`${revision} is not a revision: it is a whole number from 0 on`);
      const outcome = await perform(await tools(), LOG_SKIP, { stream, revision }, flags);
      const detail = outcome.succeeded ? outcome.detail : `no running process of this service is stopped at revision ${revision} of ${stream}; nothing was changed`;
      report(print, { ...outcome, detail }, flags.json);
    });
  return new Command('log').description('the record of everything').addCommand(skip);
}

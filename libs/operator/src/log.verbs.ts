import type { LogReport } from '@ponte/eventstore-sqlite';
import { Command } from 'commander';
import { OperatorError } from './action-runner';
import { MAX_SHOWN } from './shown-events';
import { printRows } from './table';
import type { ChangeFlags, VerbOptions } from './verb-options';
import { changing, failUnless, report } from './verb-options';
import { perform } from './tools';

/** The verb that makes the readers of a service skip an event that this system did not write. */
export const LOG_SKIP = 'log skip';

/** The verbs with which a running process reads the end of its log, and checks the log, for an operator's program. */
export const [LOG_HEAD, LOG_CHECK] = ['log head', 'log check'] as const;
/** The verb with which a running process reads a stream for an operator's program, which cannot open its log. */
export const LOG_SHOW = 'log show';
/** Finds an event of a stream by its id. Only commands request it. */
export const LOG_FIND = 'log find';
/** The verbs that only read. A running process executes them if the operator's program cannot open the log. */
export const READING: readonly string[] = [LOG_HEAD, LOG_CHECK, LOG_FIND, LOG_SHOW];

/** Commands for the event log itself. */
export const logVerbs = (options: VerbOptions): Command =>
  new Command('log')
    .description('show, check and repair the event log')
    .addCommand(showVerb(options))
    .addCommand(checkVerb(options))
    .addCommand(skipVerb(options));

const showVerb = ({ tools, print }: VerbOptions): Command =>
  new Command('show')
    .description(`list the events of a stream, at most ${MAX_SHOWN}; --json includes their data`)
    .argument('<stream>', 'the name of the stream, such as order-<id>')
    .option('--json', 'print JSON, with the data of the events; personal data in it is encrypted')
    .action(async (stream: string, { json }: { json?: boolean }) => {
      const events = await (await tools()).readStream(stream);
      const rows = json ? events : events.map(({ data: _data, ...event }) => event);
      printRows(print, rows, { json, none: `there is no stream ${stream}` });
    });

const checkVerb = ({ tools, print }: VerbOptions): Command =>
  new Command('check')
    .description('read the whole log and list all damage; exits with 1 if there is any')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { checkLog } = await tools();
      if (!checkLog)
        throw new OperatorError('this command checks only an embedded log; EventStoreDB checks its own files');
      const found = await checkLog();
      print(json ? JSON.stringify(found) : textOf(found));
      failUnless(found.faults.length === 0);
    });

function skipVerb(options: VerbOptions): Command {
  const { tools, print } = options;
  const skip = new Command('skip').description(
    'make the readers of this service skip an event that Ponte did not write and at which they have stopped',
  );
  return changing(
    skip
      .requiredOption('--stream <name>', 'the stream of the event, as shown in the error')
      .requiredOption('--revision <number>', 'the revision of the event in its stream'),
  ).action(async ({ stream, revision, ...flags }: ChangeFlags & { stream: string; revision: string }) => {
    if (!/^\d+$/.test(revision))
      throw new OperatorError(`${revision} is not a revision: it must be a whole number of 0 or more`);
    const outcome = await perform(await tools(), LOG_SKIP, { stream, revision }, flags);
    const unchanged = `no reader of this service has stopped at revision ${revision} of ${stream}; nothing changed`;
    report(print, { ...outcome, detail: outcome.succeeded ? outcome.detail : unchanged }, flags.json);
  });
}

function textOf({ events, streams, faults }: LogReport): string {
  const size = `${events} events in ${streams} streams`;
  if (faults.length === 0) return `${size}: nothing is missing and all checksums are correct`;
  return [`${size}; damaged:`, ...faults.map((fault) => `- ${fault}`)].join('\n');
}

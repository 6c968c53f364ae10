import { SERVICE_CATEGORIES } from '@ponte/contracts';
import type { OperatorAction } from '@ponte/event-sourcing';
import { Command, CommanderError, Help } from 'commander';
import { chainVerbs } from './chain.verbs';
import { faultText, OperatorError } from './action-runner';
import { failpointVerbs } from './failpoint.verbs';
import { logVerbs, READING } from './log.verbs';
import { edgeVerbs, keyVerbs, letterVerbs, movementVerbs, orderVerbs } from './other.verbs';
import { parkedVerbs } from './parked.verbs';
import { readerVerbs } from './reader.verbs';
import { restoreVerbs } from './restore.verbs';
import type { VerbOptions } from './verb-options';
import { Failed, upTo } from './verb-options';
import type { Print } from './table';
import { printRows } from './table';
import type { OperatorTools } from './tools';

/** The commands with which operators inspect and change the readers of a service. */
export function operatorVerbs(open: () => Promise<OperatorTools>, print: Print): Command[] {
  const options: VerbOptions = { tools: async () => ({ ...(await open()), categoriesOf }), print };
  const groups: Readonly<Record<string, Command[]>> = {
    'Events and their readers:': [
      ...readerVerbs(options),
      parkedVerbs(options),
      ...letterVerbs(options),
      logVerbs(options),
    ],
    'Chains, keys and recovery:': [
      ...[
        orderVerbs(options),
        movementVerbs(options),
        chainVerbs(options),
        ...keyVerbs(options),
        restoreVerbs(options),
        ...edgeVerbs(options),
      ],
      ...[actions(options), failpointVerbs(options)],
    ],
  };
  return Object.entries(groups).flatMap(([title, verbs]) => verbs.map((verb) => quiet(verb.helpGroup(title))));
}

/** How help lists commands: with their arguments, without the `[options]` that nearly all of them have. */
export const HELP = { subcommandTerm: (one: Command) => new Help().subcommandTerm(one).replace(' [options]', '') };

/** Makes errors throw, so that {@link runOperator} prints them and nothing else ends the process. */
function quiet(command: Command): Command {
  command.exitOverride().configureHelp(HELP).showHelpAfterError('(run with --help to see the options)');
  command.commands.forEach(quiet);
  return command;
}

function categoriesOf(service: string): readonly string[] {
  const known: Readonly<Record<string, readonly string[]>> = SERVICE_CATEGORIES;
  const found = known[service];
  if (!found) throw new OperatorError(`unknown service ${service}; use one of: ${Object.keys(known).join(', ')}`);
  return found;
}

const MAX_ACTIONS = 10_000;

function actions({ tools, print }: VerbOptions): Command {
  return new Command('actions')
    .description('list what operators changed: who, when, why and the result')
    .option('--limit <count>', `number of entries, newest first, 1 to ${MAX_ACTIONS}`, upTo(MAX_ACTIONS), 20)
    .option('--json', 'print JSON')
    .action(async ({ limit, json }: { limit: number; json?: boolean }) => {
      const rows = await (await tools()).operator.actions.list(limit, READING);
      printRows(
        print,
        rows.map(({ id, verb, subject, actor, reason, askedAt, takenBy, outcome }) => ({
          'asked-at': askedAt,
          actor,
          verb,
          subject,
          reason,
          'taken-by': takenBy,
          ended: outcome ? (outcome.succeeded ? 'done' : 'failed') : 'open',
          detail: outcome?.detail ?? null,
          id,
        })),
        {
          json,
          none: 'no operator has changed anything',
          shown: ({ 'asked-at': at, actor, verb, subject, ended, reason, detail }) => ({
            ...{ 'asked-at': at, actor, command: commandOf(verb, subject), ended, reason, detail },
          }),
        },
      );
    });
}

const commandOf = (verb: string, subject: OperatorAction['subject']): string =>
  [verb, ...Object.entries(subject).map(([name, value]) => `${name}=${value}`)].join(' ');

const OK = 0;
const FAILED = 1;
const MISUNDERSTOOD = 2;

/**
 * Runs a program with these commands, closes the tools that it opened, and returns the exit code: 0 done, 1 not done, 2
 * invalid arguments. Of an error, only the message is printed.
 */
export async function runOperator(
  run: (open: () => Promise<OperatorTools>, print: Print) => Promise<unknown>,
  open: () => Promise<OperatorTools>,
  write: { readonly print: Print; readonly complain: Print } = toTerminal,
): Promise<number> {
  let opened: OperatorTools | undefined;
  try {
    await run(async () => (opened = await open()), write.print);
    return OK;
  } catch (error) {
    if (error instanceof Failed) return FAILED;
    // Commander has already printed what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : MISUNDERSTOOD;
    // Before the tools were opened, the error is our own message about the settings.
    write.complain(opened || !(error instanceof Error) ? `failed: ${faultText(error)}` : error.message);
    return FAILED;
  } finally {
    await opened?.close();
  }
}

const line =
  (stream: NodeJS.WriteStream): Print =>
  (text) =>
    void stream.write(`${text}\n`);
const toTerminal = { print: line(process.stdout), complain: line(process.stderr) };

import tab from '@bomb.sh/tab/commander';
import { Command, Help } from 'commander';
import { accountCommands } from './accounts.command';
import { callCommand } from './call/call.command';
import { eventsCommand } from './events.command';
import { listCommands } from './lists.command';
import { listenCommand } from './listen.command';
import { loginCommands } from './login.command';
import { orderCommands } from './order.command';
import { payCommand } from './pay.command';
import { quoteCommand } from './quote.command';
import type { Host } from './session';
import { triggerCommand } from './trigger/trigger.command';
import { verifyCommand } from './verify/verify.command';

declare const PONTE_VERSION: string | undefined;

const MORE_HELP = `
Examples:
  ponte login --key-file .ponte/sandbox.json
  ponte quote --from fiat/brl --to eth-base/brlv --amount 100.00
  ponte order <quote-id> --pix
  ponte listen --forward http://localhost:4000/webhooks

Exit codes:
  0    success
  1    an unexpected error
  2    invalid arguments
  3    not signed in, or the API key was refused
  4    the API refused the request
  5    unreachable, rate limited, unavailable or still in progress; try again
  6    a signature is invalid, or a scenario failed
  7    waited too long; it may still complete
  130  interrupted

Environment: PONTE_API_KEY, PONTE_BASE_URL, PONTE_ACCOUNT_ID, PONTE_WEBHOOK_SECRET, PONTE_PROFILE, PONTE_CONFIG_DIR`;

/** Creates the program with all commands. With `json`, it writes no usage errors as text. */
export function createProgram(host: Host, json: boolean): Command {
  const program = new Command('ponte')
    .description('Command line for the Ponte payments API: quotes, orders, balances, events and webhooks')
    .version(typeof PONTE_VERSION === 'string' ? PONTE_VERSION : '0.0.0')
    .option('--json', 'print JSON: results to standard output, errors and notes to standard error')
    .option('--profile <name>', 'the profile to use')
    .option('--base-url <url>', 'the base URL of the API')
    .option('--account <id>', 'the account to act on')
    .configureHelp({ subcommandTerm: (one) => new Help().subcommandTerm(one).replace(' [options]', '') })
    .showHelpAfterError('(run with --help to see the options)')
    .addHelpText('after', MORE_HELP);
  const groups: Readonly<Record<string, Command[]>> = {
    'Trade:': [quoteCommand(host), ...orderCommands(host), payCommand(host)],
    'Inspect:': [...accountCommands(host), ...listCommands(host), eventsCommand(host)],
    'Develop and test:': [listenCommand(host), triggerCommand(host), verifyCommand(host), callCommand(host)],
    'Set up:': loginCommands(host),
  };
  for (const [title, commands] of Object.entries(groups))
    for (const command of commands) program.addCommand(command.helpGroup(title));
  tab(program, { completionCommandName: 'completion' });
  const completion = program.commands.find((command) => command.name() === 'completion');
  completion?.description('print a script that completes commands in the shell').helpGroup('Set up:');
  // Commander throws instead of exiting, and writes to the host's streams.
  program.exitOverride().configureOutput({ writeOut: host.out, writeErr: json ? () => undefined : host.err });
  program.commands.forEach((command) => inherit(command, program));
  // Otherwise help would be alone in a group of its own. Not before this line: groups of commands inherit it.
  program.addHelpCommand(
    new Command('help').argument('[command]').description('display help for a command').helpGroup('Set up:'),
  );
  return program;
}

function inherit(command: Command, from: Command): void {
  for (const one of command.copyInheritedSettings(from).commands) inherit(one, command);
}

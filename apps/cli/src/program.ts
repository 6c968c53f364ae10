import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { accountCommands } from './accounts.command';
import { callCommand } from './call.command';
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

const EXIT_CODES = `
Exit codes:
  0    success
  1    an unexpected error
  2    invalid arguments
  3    not signed in, or the API key was refused
  4    the API refused the request
  5    unreachable, rate limited or unavailable; try again
  6    a signature is invalid, or a scenario failed
  130  interrupted

Environment: PONTE_API_KEY, PONTE_BASE_URL, PONTE_ACCOUNT_ID, PONTE_PROFILE, PONTE_CONFIG_DIR`;

/** Creates the program with all commands. */
export function createProgram(host: Host): Command {
  const program = new Command('ponte')
    .description('Command line for the Ponte payments API: quotes, orders, balances, events and webhooks')
    .version(typeof PONTE_VERSION === 'string' ? PONTE_VERSION : '0.0.0')
    .option('--json', 'write only JSON to standard output, and errors as JSON to standard error')
    .option('--profile <name>', 'the profile to use')
    .option('--base-url <url>', 'the base URL of the API')
    .option('--account <id>', 'the account to act on')
    .showHelpAfterError('(run with --help to see the options)')
    .addHelpText('after', EXIT_CODES);
  const commands = [
    ...loginCommands(host),
    ...accountCommands(host),
    quoteCommand(host),
    ...orderCommands(host),
    payCommand(host),
    ...listCommands(host),
    eventsCommand(host),
    listenCommand(host),
    triggerCommand(host),
    verifyCommand(host),
    callCommand(host),
  ];
  for (const command of commands) program.addCommand(command);
  tab(program, { completionCommandName: 'completion' });
  quiet(program, host);
  return program;
}

/** Makes Commander throw instead of exiting, and write to the host's streams, in this and every subcommand. */
function quiet(command: Command, host: Host): void {
  command.exitOverride().configureOutput({ writeOut: host.out, writeErr: host.err });
  for (const one of command.commands) quiet(one, host);
}

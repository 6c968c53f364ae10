import { readFileSync } from 'node:fs';
import type { RulesCheck } from '@ponte/contracts';
import { Refusal, Unavailable } from '@ponte/kernel';
import { HELP, operatorVerbs } from '@ponte/operator';
import { Command, CommanderError } from 'commander';
import { accountVerbs } from './account/account.verbs';
import { addressReviewVerbs } from './address-review/address-review.verbs';
import { apiKeyVerbs } from './api-key/api-key.verbs';
import { certificateVerbs } from './certificate/certificate.verbs';
import { remoteTargetIn, gatewayOf } from './remote-target';
import { refusedPayoutVerbs } from './refused-payout/refused-payout.verbs';
import { rulesVerbs } from './rules/rules.verbs';
import { bankVerbs } from './sandbox/bank.verbs';
import { clockVerbs } from './sandbox/clock.verbs';
import type { StaffGateway } from './staff-api/staff-api';
import { StaffApi } from './staff-api/staff-api';
import type { Print } from './verb';
import { walletVerbs } from './wallet/wallet.verbs';

/** Access to the local installation, provided by the program that contains the verbs. */
interface Installation {
  /** The gateway with the staff API, opened by the first verb that needs it. */
  readonly gateway: () => Promise<StaffGateway>;
  /** Runs an operator verb and returns its exit code. */
  readonly operate: (words: readonly string[]) => Promise<number>;
  /** Returns every violation in proposed pricing rules. Absent if only the service can check them. */
  readonly checkRules?: (rules: unknown) => RulesCheck;
}

/** The output of the verbs, and how they read files. */
interface Terminal {
  /** Prints the result of a verb; called with complete texts without a final line break. */
  readonly print: Print;
  /** Prints errors, one violation per line and never a stack trace. Separate, so that the results can be piped. */
  readonly complain: Print;
  readonly readFile: (path: string) => string;
}

const line =
  (stream: NodeJS.WriteStream): Print =>
  (text) =>
    void stream.write(`${text}\n`);
const TERMINAL: Terminal = {
  print: line(process.stdout),
  complain: line(process.stderr),
  readFile: (path) => readFileSync(path, 'utf8'),
};
const OK = 0;
const FAILED = 1;

const MISUNDERSTOOD = 2;

/** The operator verbs, for help only. They need a service's databases instead of its staff API. */
const listedVerbs = (): Command[] =>
  operatorVerbs(
    () => Promise.reject(new Error('listing the verbs must not open anything')),
    () => undefined,
  );
const OPERATOR_VERBS: readonly string[] = listedVerbs().map((verb) => verb.name());

/**
 * Runs one command (`argv` without node and script) on the local installation or on the one given by `--at`, and
 * returns the exit code. Throws if the options for another installation are invalid.
 */
export async function runAdmin(
  argv: readonly string[],
  { gateway, operate, checkRules }: Installation,
  terminal: Partial<Terminal> = {},
): Promise<number> {
  const target = remoteTargetIn(argv);
  const words = target?.words ?? argv;
  const [verb = ''] = words;
  if (OPERATOR_VERBS.includes(verb)) {
    if (!target) return operate(words);
    throw new Error(
      `${verb} must run next to its service: with node deploy/operate.mjs, or in a container of the service`,
    );
  }
  const { print, complain, readFile } = { ...TERMINAL, ...terminal };
  const api = new StaffApi(target ? () => gatewayOf(target) : gateway);
  try {
    await staffVerbs({ api, print, readFile, checkRules }, complain).parseAsync([...words], { from: 'user' });
    return OK;
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError)
      return error.code.startsWith('ponte.') ? FAILED : error.exitCode && MISUNDERSTOOD;
    for (const text of linesOf(error)) complain(text);
    return FAILED;
  }
}

/** Makes help print where that of the program does. */
function inheriting(command: Command, from: Command): Command {
  for (const one of command.copyInheritedSettings(from).commands) inheriting(one, command);
  return command;
}

/** Creates the verbs that use the staff API. */
export function staffVerbs(tools: Parameters<typeof accountVerbs>[1], complain: Print): Command {
  const program = new Command('admin')
    .description(
      'Administer an installation: accounts and rules through the staff API, readers and keys next to their service.',
    )
    .usage('[--at <origin> --token-file <file>] <command> [options]')
    .option('--at <origin>', 'another installation: the https origin of its staff API')
    .option('--token-file <file>', 'the file with the staff token of that installation')
    .enablePositionalOptions()
    .configureHelp(HELP)
    .showHelpAfterError('(run with --help to see the options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => tools.print(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    });
  program.commandsGroup('Accounts and rules:');
  for (const add of [accountVerbs, apiKeyVerbs, walletVerbs, addressReviewVerbs, refusedPayoutVerbs])
    add(program, tools);
  for (const add of [certificateVerbs, rulesVerbs]) add(program, tools);
  program.commandsGroup('Only in a sandbox:');
  for (const add of [clockVerbs, bankVerbs]) add(program, tools);
  for (const one of listedVerbs()) program.addCommand(inheriting(one, program));
  // Otherwise help would be alone in a group of its own. Not before this line: groups of commands inherit it.
  program.addHelpCommand(
    new Command('help')
      .argument('[command]')
      .description('display help for a command')
      .helpGroup('Chains, keys and recovery:'),
  );
  return program;
}

function linesOf(error: unknown): string[] {
  if (error instanceof Refusal)
    // The messages name the field.
    return error.violations.map(({ code, message }) => `refused: ${message} (${code})`);
  if (error instanceof Unavailable) return [`not available: ${error.message}`];
  return [`failed: ${error instanceof Error ? error.message : 'for an unknown reason'}`];
}

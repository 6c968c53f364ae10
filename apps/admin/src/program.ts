import { readFileSync } from 'node:fs';
import type { RulesCheck } from '@ponte/contracts';
import { Refusal, Unavailable } from '@ponte/kernel';
import { operatorVerbs } from '@ponte/operator';
import { Command, CommanderError } from 'commander';
import { accountVerbs } from './account/account.verbs';
import { freezeVerbs } from './account/freeze.verbs';
import { addressReviewVerbs } from './address-review/address-review.verbs';
import { apiKeyVerbs } from './api-key/api-key.verbs';
import { certificateVerbs } from './certificate/certificate.verbs';
import { elsewhereIn, gatewayOf } from './elsewhere';
import { rulesVerbs } from './rules/rules.verbs';
import { bankVerbs } from './sandbox/bank.verbs';
import { clockVerbs } from './sandbox/clock.verbs';
import type { StaffGateway } from './staff-api/staff-api';
import { StaffApi } from './staff-api/staff-api';
import type { Print } from './verb';
import { walletVerbs } from './wallet/wallet.verbs';

/** Access to the local installation, provided by the program that contains the verbs. */
export interface Installation {
  /** The gateway with the staff API, opened by the first verb that needs it. */
  readonly gateway: () => Promise<StaffGateway>;
  /** Runs an operator verb and returns its exit code. */
  readonly operate: (words: readonly string[]) => Promise<number>;
  /** Returns every violation in proposed pricing rules. Absent if only the service can check them. */
  readonly checkRules?: (rules: unknown) => RulesCheck;
}

/** The output of the verbs, and how they read files. */
export interface Terminal {
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

/**
 * The names of the verbs about readers, read models and keys. They need a service's databases instead of its staff API.
 */
const OPERATOR_VERBS: readonly string[] = operatorVerbs(
  () => Promise.reject(new Error('listing the names of the verbs must not open anything')),
  () => undefined,
).map((verb) => verb.name());

const MORE_HELP = `
About readers, read models, parked events and keys, each with a --help of its own:
  ${OPERATOR_VERBS.join('\n  ')}

Before the verb, --at <origin> --token-file <file> names another installation, reached by its staff API.`;

/**
 * Runs one command (`argv` without node and script) on the local installation or on the one given by `--at`, and
 * returns the exit code. Throws if the options for another installation are invalid.
 */
export async function runAdmin(
  argv: readonly string[],
  { gateway, operate, checkRules }: Installation,
  terminal: Partial<Terminal> = {},
): Promise<number> {
  const elsewhere = elsewhereIn(argv);
  const words = elsewhere?.words ?? argv;
  const [verb = ''] = words;
  if (OPERATOR_VERBS.includes(verb)) {
    if (!elsewhere) return operate(words);
    throw new Error(
      `${verb} must run next to its service: with node deploy/operate.mjs, or in a container of the service`,
    );
  }
  const { print, complain, readFile } = { ...TERMINAL, ...terminal };
  const api = new StaffApi(elsewhere ? () => gatewayOf(elsewhere) : gateway);
  try {
    await staffVerbs({ api, print, readFile, checkRules }, complain).parseAsync([...words], { from: 'user' });
    return OK;
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode;
    for (const text of linesOf(error)) complain(text);
    return FAILED;
  }
}

/** Creates the verbs that use the staff API. */
export function staffVerbs(tools: Parameters<typeof accountVerbs>[1], complain: Print): Command {
  const program = new Command('admin')
    .description('Administer partners, accounts, API keys, wallets, certificates and pricing rules, and a sandbox.')
    .addHelpText('after', MORE_HELP)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => tools.print(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    });
  for (const add of [
    ...[accountVerbs, freezeVerbs, apiKeyVerbs, walletVerbs, addressReviewVerbs, certificateVerbs, rulesVerbs],
    ...[clockVerbs, bankVerbs],
  ])
    add(program, tools);
  return program;
}

function linesOf(error: unknown): string[] {
  if (error instanceof Refusal)
    // The messages name the member.
    return error.violations.map(({ code, message }) => `refused: ${message} (${code})`);
  if (error instanceof Unavailable) return [`not available: ${error.message}`];
  return [`failed: ${error instanceof Error ? error.message : 'for an unknown reason'}`];
}

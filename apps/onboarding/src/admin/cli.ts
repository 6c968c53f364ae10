import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { Refusal, Unavailable } from '@ponte/kernel';
import { accountVerbs } from './account-verbs';
import { certificateVerbs } from './certificate-verbs';
import { addressReviewVerbs } from './address-review-verbs';
import { freezeVerbs } from './freeze-verbs';
import { keyVerbs } from './key-verbs';
import type { Operations } from './operations';
import { sandboxVerbs } from './sandbox-verbs';
import { walletVerbs } from './wallet-verbs';

export type Print = (text: string) => void;

export interface AdminOptions {
  readonly operations: Operations;
  readonly print: Print;
  readonly readFile: (path: string) => string;
}

/**
 * The operator's commands. `operations` decides whether they go over the bus of this process or to a running service;
 * `print` gets what they answer, in whole texts without a line end. Run it with {@link runAdmin}.
 */
export function buildAdminProgram(
  operations: Operations,
  print: Print,
  readFile = (path: string) => readFileSync(path, 'utf8'),
): Command {
  const options: AdminOptions = { operations, print, readFile };
  const program = new Command('admin').description(
    'Opens accounts, grants capabilities, makes API keys, whitelists wallets and issues reward certificates; freezes and releases accounts; moves the time of a sandbox and its bank.',
  );
  const output = (text: string) => print(text.trimEnd());
  program.exitOverride().configureOutput({ writeOut: output });
  for (const verb of [
    ...accountVerbs(options),
    ...freezeVerbs(options),
    ...keyVerbs(options),
    ...walletVerbs(options),
    ...addressReviewVerbs(options),
    ...certificateVerbs(options),
    ...sandboxVerbs(options),
  ]) {
    program.addCommand(verb.exitOverride().configureOutput({ writeOut: output }));
  }
  return program;
}

const OK = 0;
const FAILED = 1;

/**
 * Runs one command (`argv` without node and script) and answers the exit code. `complain` gets what went wrong, one
 * violation a line, never a stack: what a command prints stays fit for a pipe.
 */
export async function runAdmin(program: Command, argv: readonly string[], complain: Print): Promise<number> {
  for (const one of [program, ...program.commands])
    one.configureOutput({ writeErr: (text) => complain(text.trimEnd()) });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return OK;
  } catch (error) {
    // Commander has already said what it missed.
    if (error instanceof CommanderError) return error.exitCode;
    for (const line of linesOf(error)) complain(line);
    return FAILED;
  }
}

function linesOf(error: unknown): string[] {
  if (error instanceof Refusal)
    return error.violations.map(
      ({ code, path, message }) => `refused: ${code}${path ? ` at ${path}` : ''}: ${message}`,
    );
  if (error instanceof Unavailable) return [`not available: ${error.message}`];
  return [`failed: ${error instanceof Error ? error.message : 'for an unknown reason'}`];
}

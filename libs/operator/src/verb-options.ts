import { userInfo } from 'node:os';
import type { OperatorAction, OperatorOutcome } from '@ponte/event-sourcing';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Print } from './table';
import type { OperatorReason, OperatorTools } from './tools';
import { perform } from './tools';

/** The dependencies of a command. `tools` opens the engines on demand, so `--help` does not need them. */
export interface VerbOptions {
  readonly tools: () => Promise<OperatorTools & { categoriesOf(service: string): readonly string[] }>;
  readonly print: Print;
}

/** The values of the options that {@link changing} adds. */
export interface ChangeFlags extends OperatorReason {
  readonly json?: boolean;
}

/** The action failed, and its outcome was printed already. */
export class Failed extends Error {}

/** Adds the options of a command that changes something. */
export const changing = (command: Command): Command =>
  command
    .requiredOption(
      '--reason <text>',
      'why you make the change; stored and logged, so it must not contain personal data',
      filled,
    )
    .option('--actor <name>', 'who makes the change', filled, currentUser())
    .option('--json', 'print JSON');

/** The name of the user who runs this process. The system does not know every user id, such as that of a container. */
export function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** Refuses an empty value, for example that of an unset variable in a script. */
export function filled(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** A parser of an option that must be a whole number from 1 to `max`. */
export const upTo =
  (max: number) =>
  (text: string): number => {
    if (!/^[1-9]\d*$/.test(text) || Number(text) > max)
      throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
    return Number(text);
  };

/** Has an action executed, as {@link perform} does, and prints its outcome. */
export async function carryOut(
  { tools, print }: VerbOptions,
  verb: string,
  subject: OperatorAction['subject'],
  flags: ChangeFlags,
): Promise<void> {
  report(print, await perform(await tools(), verb, subject, flags), flags.json);
}

/** Prints the outcome of an action. A failed one sets the exit code. */
export function report(print: Print, outcome: OperatorOutcome, json = false): void {
  print(json ? JSON.stringify(outcome) : outcome.detail);
  failUnless(outcome.succeeded);
}

/** Throws {@link Failed} for the exit code; the outcome was printed already. */
export function failUnless(succeeded: boolean): void {
  if (!succeeded) throw new Failed();
}

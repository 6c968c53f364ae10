import { userInfo } from 'node:os';
import type { OperatorOutcome } from '@ponte/event-sourcing';
import type { Command } from 'commander';
import type { Print } from './table';
import type { OperatorTools } from './tools';

/** What a verb is made of. `tools` opens the engines, so that `--help` needs none. */
export interface VerbOptions {
  readonly tools: () => Promise<OperatorTools & { categoriesOf(service: string): readonly string[] }>;
  readonly print: Print;
}

/** An action that was carried out and failed: what is known was printed. */
export class Failed extends Error {}

/** The flags of a verb that changes something. */
export const changing = (command: Command, _options: VerbOptions): Command =>
  command
    .requiredOption('--reason <text>', 'why; it is stored and logged, so it must not contain personal data')
    .option('--actor <name>', 'who', userInfo().username)
    .option('--json', 'print JSON');

/** Says how an action ended; one that failed makes the exit code. */
export function report(print: Print, outcome: OperatorOutcome, json = false): void {
  print(json ? JSON.stringify(outcome) : outcome.detail);
  failUnless(outcome.succeeded);
}

/** What was done was printed; the exit code says the rest. */
export function failUnless(succeeded: boolean): void {
  if (!succeeded) throw new Failed();
}

import type { RulesCheck } from '@ponte/contracts';
import type { Command } from 'commander';
import type { StaffApi } from './staff-api/staff-api';

export type Print = (text: string) => void;

/** What the verbs use. */
export interface VerbTools {
  readonly api: StaffApi;
  /** Gets what a verb answers, in whole texts without a line end. */
  readonly print: Print;
  readonly readFile: (path: string) => string;
  /** Every violation in proposed pricing rules, without a running service; absent where only the service can tell. */
  readonly checkRules?: (rules: unknown) => RulesCheck;
}

export interface JsonFlag {
  readonly json?: boolean;
}
export interface AccountFlag extends JsonFlag {
  readonly account: string;
}
export interface StaffFlags extends JsonFlag {
  readonly as: string;
  readonly password: string;
}

/** A verb whose answer can be printed as JSON. */
export const verb = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description).option('--json', 'print JSON');

/** A verb about one account. */
export const accountVerb = (program: Command, name: string, description: string): Command =>
  verb(program, name, description).requiredOption('--account <account-id>', 'the account');

/** The options of a staff member who signs in with a password for one verb. */
export const bySignIn = (command: Command): Command =>
  command
    .requiredOption('--as <name>', 'the staff member who signs in')
    .requiredOption('--password <text>', 'the password; @file reads it from a file, which keeps it out of the history');

/** An option that may be repeated, or is a list with commas. */
export const collect = (value: string, before: readonly string[]): string[] => [...before, ...value.split(',')];

/** The text of an option, or of the file that `@file` names. */
export const clear = ({ readFile }: Pick<VerbTools, 'readFile'>, text: string): string =>
  text.startsWith('@') ? readFile(text.slice(1)).trim() : text;

/** The path of an account below the routes of the staff token. */
export const accountPath = (accountId: string, rest: string): string =>
  `/staff/accounts/${encodeURIComponent(accountId)}/${rest}`;

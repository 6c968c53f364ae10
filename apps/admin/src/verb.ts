import type { RulesCheck } from '@ponte/contracts';
import type { Command } from 'commander';
import { Option } from 'commander';
import type { StaffApi } from './staff-api/staff-api';

export type Print = (text: string) => void;

export interface VerbTools {
  readonly api: StaffApi;
  /** Prints the result of a verb; called with complete texts without a final line break. */
  readonly print: Print;
  readonly readFile: (path: string) => string;
  /** Checks proposed pricing rules without a running service. Absent if only the service can check them. */
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

/** A noun, whose help lists its verbs and ends with an example. */
export const noun = (program: Command, name: string, description: string, example: string): Command =>
  program.command(name).description(description).addHelpText('after', `\nExample:\n  admin ${name} ${example}`);

/** A verb whose result can be printed as JSON. */
export const verb = (of: Command, name: string, description: string): Command =>
  of.command(name).description(description).option('--json', 'print JSON');

export const accountVerb = (of: Command, name: string, description: string): Command =>
  verb(of, name, description).requiredOption('--account <account-id>', 'the account');

/**
 * Adds the options with which a staff member signs in by password for one verb. The environment may hold the password.
 */
export const bySignIn = (command: Command): Command =>
  command
    .requiredOption('--as <name>', 'the staff member who signs in')
    .addOption(
      new Option(
        '--password <text>',
        'the password; @file reads it from a file; as plain text it is visible in process listings',
      )
        .env('PONTE_STAFF_PASSWORD')
        .makeOptionMandatory(),
    );

/** Collects the values of an option that may be repeated or contain a comma-separated list. */
export const collect = (value: string, before: readonly string[]): string[] => [...before, ...value.split(',')];

/** The text of an option, or the content of the file that `@file` names. */
export const clear = ({ readFile }: Pick<VerbTools, 'readFile'>, text: string): string =>
  text.startsWith('@') ? readFile(text.slice(1)).trim() : text;

/** The path below an account, for routes with the staff token. */
export const accountPath = (accountId: string, rest: string): string =>
  `/staff/accounts/${encodeURIComponent(accountId)}/${rest}`;

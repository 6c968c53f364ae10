import type { ClearBankAccount, OnboardingMode } from '@ponte/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { AdminOptions } from './cli';
import { show, showList } from './output';

interface OpenFlags {
  readonly parent?: string;
  readonly alias: string;
  readonly legalName: string;
  readonly taxId: string;
  readonly externalId?: string;
  readonly mode?: OnboardingMode;
  readonly capability: readonly string[];
  readonly bankCode?: string;
  readonly branchNumber?: string;
  readonly accountNumber?: string;
  readonly json?: boolean;
}

const DEFAULT_PAGE = 50;
const LARGEST_PAGE = 200;
const PERSONAL = 'sealed before it is kept; @file reads it from a file, so that no shell history has it';

export const collect = (value: string, before: readonly string[]): string[] => [...before, ...value.split(',')];

export function accountVerbs(options: AdminOptions): Command[] {
  return [
    openPartner(options),
    openSubaccount(options),
    listAccounts(options),
    showAccount(options),
    change(options, 'grant'),
    change(options, 'revoke'),
  ];
}

function openPartner(options: AdminOptions): Command {
  return opening(
    options,
    new Command('account:open-partner').description('open a partner account'),
    () => null,
  ).addOption(new Option('--mode <mode>', 'how it onboards').choices(['kyc', 'reliance']).default('kyc'));
}

function openSubaccount(options: AdminOptions): Command {
  return opening(
    options,
    new Command('account:open-subaccount').description('open an account under a partner'),
    ({ parent }) => parent ?? null,
  ).requiredOption('--parent <account-id>', 'the partner');
}

function opening(
  { operations, print, readFile }: AdminOptions,
  verb: Command,
  parentOf: (flags: OpenFlags) => string | null,
): Command {
  const clear = (text: string) => (text.startsWith('@') ? readFile(text.slice(1)).trim() : text);
  return verb
    .requiredOption('--alias <text>', "a name for screens, not the holder's")
    .requiredOption('--legal-name <text>', `the holder's; ${PERSONAL}`)
    .requiredOption('--tax-id <text>', `CPF or CNPJ; ${PERSONAL}`)
    .option('--external-id <text>', 'your own name for it')
    .option('--capability <names>', 'repeatable, or a comma list', collect, [])
    .option('--bank-code <code>', "the bank of the holder's account: COMPE or ISPB")
    .option('--branch-number <digits>', PERSONAL)
    .option('--account-number <digits>', `with its check digit; ${PERSONAL}`)
    .option('--json', 'for machines')
    .action(async (flags: OpenFlags) => {
      const account = await operations.openAccount({
        parentId: parentOf(flags),
        alias: flags.alias,
        externalId: flags.externalId ?? null,
        onboardingMode: flags.mode ?? null,
        capabilities: flags.capability,
        legalName: clear(flags.legalName),
        taxId: clear(flags.taxId),
        bankAccount: bankAccountOf(flags, clear),
      });
      show(print, account, flags.json);
    });
}

function bankAccountOf(
  { bankCode, branchNumber, accountNumber }: OpenFlags,
  clear: (text: string) => string,
): ClearBankAccount | null {
  if (bankCode === undefined && branchNumber === undefined && accountNumber === undefined) return null;
  return { bankCode: bankCode ?? '', branch: clear(branchNumber ?? ''), number: clear(accountNumber ?? '') };
}

function change({ operations, print }: AdminOptions, kind: 'grant' | 'revoke'): Command {
  return new Command(`capability:${kind}`)
    .description(`${kind} capabilities of an account`)
    .requiredOption('--account <account-id>', 'the account')
    .requiredOption('--capability <names>', 'repeatable, or a comma list', collect, [])
    .option('--json', 'for machines')
    .action(async (flags: { account: string; capability: string[]; json?: boolean }) => {
      const none: string[] = [];
      const wanted =
        kind === 'grant' ? { grant: flags.capability, revoke: none } : { grant: none, revoke: flags.capability };
      show(print, await operations.changeCapabilities(flags.account, wanted), flags.json);
    });
}

function listAccounts({ operations, print }: AdminOptions): Command {
  return new Command('account:list')
    .description('every account, newest first')
    .option('--limit <count>', `1 to ${LARGEST_PAGE}`, pageSize, DEFAULT_PAGE)
    .option('--cursor <text>', 'where the last list ended')
    .option('--json', 'for machines')
    .action(async ({ limit, cursor, json }: { limit: number; cursor?: string; json?: boolean }) => {
      showList(print, await operations.listAccounts(limit, cursor ?? null), json);
    });
}

function showAccount({ operations, print }: AdminOptions): Command {
  return new Command('account:show')
    .description('one account')
    .requiredOption('--account <account-id>', 'the account')
    .option('--json', 'for machines')
    .action(async ({ account, json }: { account: string; json?: boolean }) =>
      show(print, await operations.showAccount(account), json),
    );
}

function pageSize(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_PAGE)
    throw new InvalidArgumentError(`must be 1 to ${LARGEST_PAGE}`);
  return limit;
}

import { refuse } from '@ponte/kernel';
import { printRows } from '@ponte/operator';
import type { Command } from 'commander';
import { Option } from 'commander';
import { show } from '../output';
import type { PageFlags } from '../paging';
import { LARGEST_PAGE, paged, pageQuery } from '../paging';
import type { WireAccount } from '../staff-api/bodies';
import type { StaffApi } from '../staff-api/staff-api';
import type { AccountFlag, JsonFlag, VerbTools } from '../verb';
import { accountPath, accountVerb, clear, collect, noun, verb } from '../verb';
import { freezeVerbs } from './freeze.verbs';

interface OpenFlags extends JsonFlag {
  readonly parent?: string;
  readonly alias: string;
  readonly legalName: string;
  readonly taxId: string;
  readonly externalId?: string;
  readonly mode?: string;
  readonly capability: readonly string[];
  readonly bankCode?: string;
  readonly branchNumber?: string;
  readonly accountNumber?: string;
}
interface AccountEnvelope {
  readonly account: WireAccount;
}

const PERSONAL =
  'stored encrypted; @file reads it from a file, which keeps it out of the shell history and of process listings';

export function accountVerbs(program: Command, tools: VerbTools): void {
  const account = noun(program, 'account', 'open, list, show and freeze accounts', 'list --limit 10');
  opening(verb(account, 'open-partner', 'open a partner account'), tools).addOption(
    new Option('--mode <mode>', 'how its holders are identified: kyc by this service, or reliance on the partner')
      .choices(['kyc', 'reliance'])
      .default('kyc'),
  );
  opening(verb(account, 'open-subaccount', 'open an account under a partner'), tools).requiredOption(
    '--parent <account-id>',
    'the partner',
  );
  listAccounts(account, tools);
  accountVerb(account, 'show', 'show one account').action(async ({ account: id, json }: AccountFlag) =>
    show(tools.print, shown(await find(tools.api, id)), json),
  );
  freezeVerbs(account, tools);
  const example = 'grant --account <account-id> --capability manage-holders';
  const capability = noun(program, 'capability', 'grant and revoke capabilities of accounts', example);
  change(capability, tools, 'grant');
  change(capability, tools, 'revoke');
}

const opening = (command: Command, tools: VerbTools): Command =>
  command
    .requiredOption('--alias <text>', "a display name, other than the holder's name")
    .requiredOption('--legal-name <text>', `the holder's; ${PERSONAL}`)
    .requiredOption('--tax-id <text>', `CPF or CNPJ; ${PERSONAL}`)
    .option('--external-id <text>', 'your own reference')
    .option('--capability <names>', 'the capabilities; repeat the option, or separate them with commas', collect, [])
    .option('--bank-code <code>', "the COMPE or ISPB code of the holder's bank")
    .option('--branch-number <digits>', PERSONAL)
    .option('--account-number <number>', `with its check digit, which may be X or P; ${PERSONAL}`)
    .action(async (flags: OpenFlags) => {
      const { account } = await tools.api.post<AccountEnvelope>('/staff/accounts', {
        'parent-id': flags.parent,
        alias: flags.alias,
        'legal-name': clear(tools, flags.legalName),
        'tax-id': clear(tools, flags.taxId),
        'onboarding-mode': flags.mode,
        'external-id': flags.externalId,
        capabilities: flags.capability,
        'bank-account': bankAccountOf(tools, flags),
      });
      show(tools.print, shown(account), flags.json);
    });

function bankAccountOf(tools: VerbTools, { bankCode, branchNumber, accountNumber }: OpenFlags): object | undefined {
  if (bankCode === undefined && branchNumber === undefined && accountNumber === undefined) return undefined;
  return {
    'bank-code': bankCode ?? '',
    'branch-number': clear(tools, branchNumber ?? ''),
    'account-number': clear(tools, accountNumber ?? ''),
  };
}

function change(capability: Command, { api, print }: VerbTools, kind: 'grant' | 'revoke'): void {
  accountVerb(capability, kind, `${kind} capabilities of an account`)
    .requiredOption(
      '--capability <names>',
      'the capabilities; repeat the option, or separate them with commas',
      collect,
      [],
    )
    .action(async ({ account: id, capability: names, json }: AccountFlag & { capability: string[] }) => {
      const body = { grant: [], revoke: [], [kind]: names };
      const { account } = await api.post<AccountEnvelope>(accountPath(id, 'capabilities'), body);
      show(print, shown(account), json);
    });
}

function listAccounts(of: Command, { api, print }: VerbTools): void {
  paged(verb(of, 'list', 'list all accounts, newest first')).action(
    async ({ json, ...flags }: JsonFlag & PageFlags) => {
      const { accounts, next } = await page(api, flags);
      if (json) return print(JSON.stringify({ accounts: accounts.map(shown), 'next-cursor': next }, null, 2));
      const rows = accounts.map(({ id, status, 'parent-id': parent, alias, 'created-at': created }) => ({
        ...{ id, status, kind: parent ? 'sub-account' : 'partner', alias, created },
      }));
      printRows(print, rows, { none: 'no accounts' });
      if (next !== null) print(`more: --cursor ${next}`);
    },
  );
}

async function page(
  api: StaffApi,
  flags: PageFlags,
): Promise<{ readonly accounts: readonly WireAccount[]; readonly next: string | null }> {
  const { body, next } = await api.page<{ accounts: WireAccount[] }>(`/staff/accounts?${pageQuery(flags)}`);
  return { accounts: body.accounts, next };
}

/** Finds an account by searching the pages of the list, because the staff token has no route for a single account. */
async function find(api: StaffApi, accountId: string): Promise<WireAccount> {
  for (let cursor: string | undefined; ;) {
    const { accounts, next } = await page(api, { limit: LARGEST_PAGE, cursor });
    const found = accounts.find(({ id }) => id === accountId);
    if (found) return found;
    cursor = next ?? refuse('account-not-found', 'There is no such account.', 'account-id');
  }
}

const shown = (account: WireAccount): object => ({
  'account-id': account.id,
  'parent-id': account['parent-id'] ?? null,
  alias: account.alias,
  status: account.status,
  'external-id': account['external-id'] ?? null,
  'onboarding-mode': account['onboarding-mode'] ?? null,
  capabilities: account.capabilities,
  'created-at': account['created-at'],
});

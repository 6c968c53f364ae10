import { Argument, Command } from 'commander';
import type { Item } from '@ponte/sdk';
import { fields, table } from './output';
import type { Host } from './session';
import { Session } from './session';

/** The names of the assets in paths, such as that of a balance. */
export const ASSETS = ['brl', 'usd', 'usdc', 'usdt', 'brlv', 'wbrly', 'brly'];

type Account = Item<'list-accounts'>;

const COLUMNS = [
  { title: 'id', of: (one: Account) => one.id },
  { title: 'status', of: (one: Account) => one.status },
  { title: 'alias', of: (one: Account) => one.alias },
  { title: 'external id', of: (one: Account) => one['external-id'] },
  { title: 'created at', of: (one: Account) => one['created-at'] },
];

export function accountCommands(host: Host): Command[] {
  const accounts = new Command('accounts')
    .description('list the accounts that the API key can access, or show one')
    .argument('[id]', 'the account to show')
    .action(async (id: string | undefined, _: unknown, command: Command) => {
      const { ponte, output, signal } = Session.of(host, command);
      if (id !== undefined) {
        const { account } = await ponte.getAccount(id, { signal });
        return output.result(account, () => fields(account));
      }
      const all: Account[] = [];
      for await (const one of ponte.listAccounts({ limit: 200 }, { signal })) all.push(one);
      output.result(all, () => table(all, COLUMNS, 'The API key cannot access any account.'));
    });
  const balances = new Command('balances')
    .description('show the balances of the account')
    .addArgument(new Argument('[assets...]', 'the assets to show (default: all)').choices(ASSETS))
    .action(async (assets: string[], _: unknown, command: Command) => {
      const session = Session.of(host, command);
      const { accountId, signal } = session;
      const rows = await Promise.all(
        (assets.length > 0 ? assets : ASSETS).map(async (asset) => {
          const { balance } = await session.ponte.getBalance(accountId, asset, { signal });
          return { asset, ...balance };
        }),
      );
      session.output.result(rows, () => table(rows, BALANCE_COLUMNS, 'There are no balances to show.'));
    });
  return [accounts, balances];
}

interface BalanceRow {
  readonly asset: string;
  readonly 'available-balance': string;
  readonly 'held-balance': string;
  readonly 'running-balance': string;
}

const BALANCE_COLUMNS = [
  { title: 'asset', of: (one: BalanceRow) => one.asset },
  { title: 'available', of: (one: BalanceRow) => one['available-balance'] },
  { title: 'held', of: (one: BalanceRow) => one['held-balance'] },
  { title: 'running', of: (one: BalanceRow) => one['running-balance'] },
];

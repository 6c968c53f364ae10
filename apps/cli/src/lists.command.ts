import { Command, Option } from 'commander';
import type { Item, OperationId, Pages, Query } from '@ponte/sdk';
import { ASSETS } from './accounts.command';
import { usage } from './failures';
import { fields, table } from './output';
import type { Column } from './output';
import { orderText } from './order.command';
import type { Host } from './session';
import { Session } from './session';

interface ListOptions {
  readonly limit: string;
  readonly asset?: string;
  readonly state?: string;
}

interface Listing<Id extends OperationId> {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly Column<Item<Id>>[];
  /** The query field that filters the list by state, if there is one. */
  readonly state?: string;
  readonly withAsset?: string;
  readonly list: (session: Session, query: Query<Id>, options: ListOptions) => Pages<Id>;
  readonly one?: (session: Session, id: string, options: ListOptions) => Promise<object>;
  readonly text?: (one: never) => string;
}

const when = { title: 'created at', of: (one: { readonly 'created-at': string }) => one['created-at'] };
const id = { title: 'id', of: (one: { readonly id: string }) => one.id };
const amount = { title: 'amount', of: (one: { readonly amount: string }) => one.amount };
const state = { title: 'state', of: (one: { readonly state: string }) => one.state };

const ORDERS: Listing<'list-orders'> = {
  name: 'orders',
  description: 'list the orders of the account, or show one',
  state: 'state',
  columns: [
    id,
    state,
    { title: 'give', of: (one) => `${one['source-amount']} ${one['source-asset']}` },
    { title: 'get', of: (one) => `${one['target-amount']} ${one['target-asset']}` },
    when,
  ],
  list: ({ ponte, accountId, signal }, query) => ponte.listOrders(accountId, query, { signal }),
  one: async ({ ponte, accountId, signal }, orderId) => (await ponte.getOrder(accountId, orderId, { signal })).order,
  text: orderText,
};

const TRANSFERS: Listing<'list-transfers'> = {
  name: 'transfers',
  description: 'list the token transfers of the account, or show one',
  state: 'state',
  columns: [
    id,
    state,
    { title: 'asset', of: (one) => one.asset },
    amount,
    { title: 'to', of: (one) => one['target-address'] },
    when,
  ],
  list: ({ ponte, accountId, signal }, query) => ponte.listTransfers(accountId, query, { signal }),
  one: async ({ ponte, accountId, signal }, one) => (await ponte.getTransfer(accountId, one, { signal })).transfer,
};

const WITHDRAWALS: Listing<'list-withdrawals'> = {
  name: 'withdrawals',
  description: 'list the withdrawals of the account, or show one',
  state: 'state',
  columns: [
    id,
    state,
    { title: 'asset', of: (one) => one.asset },
    amount,
    { title: 'method', of: (one) => one.method },
    when,
  ],
  list: ({ ponte, accountId, signal }, query) => ponte.listWithdrawals(accountId, query, { signal }),
  one: ({ ponte, accountId, signal }, one) => ponte.getWithdrawal(accountId, one, { signal }),
};

const DEPOSITS: Listing<'list-deposits'> = {
  name: 'deposits',
  description: 'list the deposits of an asset, or show one',
  state: 'status',
  withAsset: 'brl',
  columns: [id, { title: 'status', of: (one) => one.status }, { title: 'type', of: (one) => one.type }, amount, when],
  list: ({ ponte, accountId, signal }, query, { asset = 'brl' }) =>
    ponte.listDeposits(accountId, asset, query, { signal }),
  one: async ({ ponte, accountId, signal }, one, { asset = 'brl' }) =>
    (await ponte.getDeposit(accountId, asset, one, { signal })).deposit,
};

const WALLETS: Listing<'list-wallets'> = {
  name: 'wallets',
  description: 'list the wallets of the account',
  columns: [
    id,
    { title: 'name', of: (one) => one.name },
    { title: 'address', of: (one) => one.address },
    { title: 'assets', of: (one) => one.assets.join(' ') },
  ],
  list: ({ ponte, accountId, signal }, query) => ponte.listWallets(accountId, query, { signal }),
};

export const listCommands = (host: Host): Command[] => [
  command(host, ORDERS),
  command(host, TRANSFERS),
  command(host, WITHDRAWALS),
  command(host, DEPOSITS),
  command(host, WALLETS),
];

function command<Id extends OperationId>(host: Host, listing: Listing<Id>): Command {
  const one = new Command(listing.name)
    .description(listing.description)
    .option('--limit <count>', 'the largest number of entries to print', '20');
  if (listing.one) one.argument('[id]', 'the id of the one to show');
  if (listing.state) one.option(`--state <${listing.state}>`, `only those with this ${listing.state}`);
  if (listing.withAsset)
    one.addOption(
      new Option('--asset <asset>', 'the asset whose deposits to list').choices(ASSETS).default(listing.withAsset),
    );
  return one.action(async (...values: unknown[]) => {
    const self = values.at(-1) as Command;
    const options = self.opts<ListOptions>();
    await show(Session.of(host, self), listing, self.args[0], options);
  });
}

async function show<Id extends OperationId>(
  session: Session,
  listing: Listing<Id>,
  wanted: string | undefined,
  options: ListOptions,
): Promise<void> {
  if (wanted !== undefined && listing.one) {
    const found = await listing.one(session, wanted, options);
    return session.output.result(found, () => (listing.text ? listing.text(found as never) : fields({ ...found })));
  }
  const limit = countOf(options.limit);
  const query = {
    limit: Math.min(limit, 200),
    ...(options.state === undefined || !listing.state ? {} : { [listing.state]: options.state }),
  };
  const rows: Item<Id>[] = [];
  for await (const row of listing.list(session, query as unknown as Query<Id>, options))
    if (rows.push(row) === limit) break;
  session.output.result(rows, () => table(rows, listing.columns, `The account has no ${listing.name}.`));
}

/** Parses a count of one or more. */
export function countOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw usage(`${text} is not a valid limit.`, 'Pass a whole number from 1 to 999999.');
  return Number(text);
}

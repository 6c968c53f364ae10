import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import type { Balance, Customer } from '../../e2e/testing/customer';
import { tokenOnChain } from '../../e2e/testing/on-chain';
import type { Running } from '../../e2e/testing/program';
import { until } from '../../e2e/testing/waiting';
import type { Listener } from './listener';
import type { Moved } from './answered';
import type { Load } from './load';
import type { Party } from './mix';
import { MOVEMENT_ENDS, TOKENS } from './mix';
import type { BankPayment, EndedMovement, HeldOnChain } from './movement-faults';

const POLL_MS = 250;
const BANK_FILE = 'payout-bank.db';

/** Resolves when each movement of the load has ended and its last webhook has arrived. Rejects after `patienceMs`. */
export async function endedMovements(load: Load, listener: Listener, patienceMs: number): Promise<EndedMovement[]> {
  const ended: EndedMovement[] = [];
  const end = Date.now() + patienceMs;
  for (const moved of load.moved) {
    const id = await until(() => idOf(moved), Math.max(0, end - Date.now()), POLL_MS);
    await until(
      () => {
        const notices = [...(listener.told.get(id) ?? [])];
        if (!notices.includes(MOVEMENT_ENDS[moved.kind]))
          throw new Error(`${moved.kind} ${id} did not end: its webhooks are ${notices.join(', ')}`);
      },
      Math.max(0, end - Date.now()),
      POLL_MS,
    );
    ended.push({ kind: moved.kind, id });
  }
  return ended;
}

/**
 * Returns the id of a movement. A deposit is looked up, because the sandbox's response contains only the payment or the
 * transaction.
 */
async function idOf({ kind, customer, reference }: Moved): Promise<string> {
  if (kind !== 'token-deposit' && kind !== 'brl-deposit') return reference;
  const query =
    kind === 'token-deposit' ? `usdc/deposits?tx-hash=${reference}` : `brl/deposits?end-to-end-id=${reference}`;
  const { deposits } = await customer.api.get<{ deposits: readonly { id: string }[] }>(
    customer.path(`/assets/${query}`),
  );
  const [found] = deposits;
  if (!found || deposits.length > 1) throw new Error(`${kind} ${reference} is ${deposits.length} deposits`);
  return found.id;
}

/** Waits until nothing of the balance is held, since deposits from neighbours arrive independently. */
export const settledBalance = (customer: Customer, symbol: string): Promise<Balance> =>
  until(
    async () => {
      const balance = await customer.balance(symbol);
      if (balance.available !== balance.running) throw new Error(`${symbol} is held: ${JSON.stringify(balance)}`);
      return balance;
    },
    undefined,
    POLL_MS,
  );

/** Reads the token balance of each wallet from the chain, to be compared with the account's balance in the API. */
export async function heldOnChain(
  running: Running,
  parties: readonly Party[],
  balances: ReadonlyMap<string, Readonly<Record<string, Balance>>>,
): Promise<HeldOnChain[]> {
  const held: HeldOnChain[] = [];
  for (const { customer, wallet } of parties)
    for (const asset of TOKENS) {
      const chain = await tokenOnChain(running.dataDirectory, asset, wallet);
      const books = balances.get(customer.accountId)?.[asset.replace('eth-base/', '')]?.running ?? '0';
      held.push({ account: customer.accountId, asset, chain, books });
    }
  return held;
}

/** Reads the payments of the simulated bank. Call it when the cluster has stopped. */
export function paidByBank({ dataDirectory }: Running): BankPayment[] {
  const file = readdirSync(dataDirectory, { recursive: true, encoding: 'utf8' }).find((one) => one.endsWith(BANK_FILE));
  if (file === undefined) throw new Error(`no ${BANK_FILE} in the data folder`);
  const books = new Database(join(dataDirectory, file), { readonly: true });
  const payments = books.prepare('SELECT payment_id, amount, status FROM payments').all() as BankPayment[];
  books.close();
  return payments;
}

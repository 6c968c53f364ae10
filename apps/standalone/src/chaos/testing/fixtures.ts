import { cpfOf } from '../../../../onboarding/src/testing/people';
import { Client } from '../../e2e/testing/client';
import { Customer } from '../../e2e/testing/customer';
import { Operator } from '../../e2e/testing/operator';
import type { Running } from '../../e2e/testing/program';
import { SandboxUnderTest } from '../../e2e/testing/sandbox-under-test';
import { until } from '../../e2e/testing/waiting';
import type { Party } from './mix';
import { TOKENS, requestOf } from './mix';

/** Enough for all orders of a run. */
const FUNDS = '1000000.00';
/** The amount of BRL for which each account buys each token before the load. */
const TOKENS_FOR = '20000.00';
const CONNECTIONS = 1_024;
const FIRST_PERSON = 310_000_000;

/**
 * Accounts that are ready for every kind of request in the mix. `before` holds the ids of the orders and withdrawals
 * made to prepare them.
 */
interface Fixtures {
  readonly parties: readonly Party[];
  readonly before: ReadonlySet<string>;
}

/**
 * Opens sub-accounts of the sandbox's partner with money, tokens and wallets, and moves business time into banking
 * hours.
 */
export async function openAccounts(running: Running, count: number): Promise<Fixtures> {
  const { sandbox } = running;
  const operator = Operator.of(running);
  const api = new Client(sandbox['base-url'], { authorization: `Bearer ${sandbox['api-key']}` }, CONNECTIONS);
  const opened: { readonly customer: Customer; readonly wallet: string }[] = [];
  const before = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const id = await operator.openAccount({
      alias: `account ${index}`,
      'legal-name': `Conta ${index}`,
      'tax-id': cpfOf(FIRST_PERSON + index),
      'parent-id': sandbox['account-id'],
    });
    const customer = new Customer(api, id);
    await customer.fund(FUNDS);
    for (const token of TOKENS) before.add(await bought(customer, token));
    const { wallets } = await api.get<{ wallets: readonly { address: string }[] }>(
      customer.path('/wallets?assets=eth-base/brlv'),
    );
    opened.push({ customer, wallet: wallets[0]?.address ?? '' });
  }
  const parties = opened.map((one, at) => ({ ...one, neighbour: opened[(at + 1) % count]?.wallet ?? '' }));
  const [first] = parties;
  if (first) before.add(await openBanks(running, first));
  await operator.api.close();
  return { parties, before };
}

/**
 * Buys a token before the load. An account's wallets are created asynchronously, so the request is repeated until it is
 * accepted.
 */
async function bought(customer: Customer, token: string): Promise<string> {
  const fx = token.includes('usd') ? { 'trade-reason': 'transfer-between-same-entity-accounts' } : {};
  const request = { 'source-asset': 'fiat/brl', 'target-asset': token, 'source-amount': TOKENS_FOR, ...fx };
  return until(async () => {
    const quote = await customer.api.post<{ id: string }>(customer.path('/quotes'), request);
    const { status, text, body } = await customer.accept(quote.id);
    if (status !== 200) throw new Error(text);
    const { id, state } = await customer.ended(body.order.id);
    if (state !== 'completed') throw new Error(`the order of ${token} is ${state}`);
    return id;
  });
}

/**
 * Moves business time into banking hours, so that TEDs are sent. Returns the id of the TED withdrawal that it creates
 * for this.
 */
async function openBanks(running: Running, party: Party): Promise<string> {
  const { path, body } = requestOf('ted-withdrawal', party, '');
  const { withdrawal } = await party.customer.api.post<{ withdrawal: { id: string; 'scheduled-for'?: string } }>(
    path,
    body,
  );
  const opensAt = withdrawal['scheduled-for'];
  if (opensAt) {
    const sandbox = SandboxUnderTest.of(running);
    await sandbox.pass(opensAt);
    await sandbox.close();
  }
  return withdrawal.id;
}

/** Resolves when no order of these accounts is in progress. */
export async function allEnded(customers: readonly Customer[], patienceMs: number): Promise<void> {
  for (const customer of customers) {
    await until(
      async () => {
        for (const state of ['created', 'processing']) {
          const { orders } = await customer.api.get<{ orders: object[] }>(
            customer.path(`/orders?limit=1&state=${state}`),
          );
          if (orders.length > 0)
            throw new Error(`orders of ${customer.accountId} are still ${state}: ${JSON.stringify(orders)}`);
        }
      },
      patienceMs,
      250,
    );
  }
}

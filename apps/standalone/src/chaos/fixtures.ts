import { cpfOf } from '../../../onboarding/src/testing/people';
import { Client } from '../e2e/client';
import { Customer } from '../e2e/customer';
import { Operator } from '../e2e/operator';
import type { Running } from '../e2e/program';
import { until } from '../e2e/waiting';

/** The orders of a run must not find its accounts empty. */
const FUNDS = '1000000.00';
const CONNECTIONS = 1_024;
const FIRST_PERSON = 310_000_000;

/** Sub-accounts of the sandbox's partner, with money and with wallets that have been minted to by these orders. */
export async function openAccounts(
  running: Running,
  count: number,
): Promise<{ readonly customers: Customer[]; readonly orders: ReadonlySet<string> }> {
  const { sandbox } = running;
  const operator = Operator.of(running);
  const api = new Client(sandbox['base-url'], { authorization: `Bearer ${sandbox['api-key']}` }, CONNECTIONS);
  const customers: Customer[] = [];
  const orders = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const id = await operator.openAccount({
      alias: `account ${index}`,
      'legal-name': `Conta ${index}`,
      'tax-id': cpfOf(FIRST_PERSON + index),
      'parent-id': sandbox['account-id'],
    });
    const customer = new Customer(api, id);
    await customer.fund(FUNDS);
    // An account's wallets follow it by an event.
    const { id: order } = await until(async () => {
      const { status, text, body } = await customer.accept(await customer.quote('1.00'));
      if (status !== 200) throw new Error(text);
      return customer.ended(body.order.id);
    });
    orders.add(order);
    customers.push(customer);
  }
  await operator.api.close();
  return { customers, orders };
}

/** Resolves when no order of these accounts is under way any more. */
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

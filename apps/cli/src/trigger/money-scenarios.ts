import { CliError, EXIT } from '../failures';
import type { Order } from '../order.command';
import { hasEnded } from '../order.command';
import type { Session } from '../session';
import { waitFor } from '../wait';
import type { Scenario, Step } from './scenario';

const PAIR = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv' } as const;
const PIX_KEY = 'maria@pix.example';
/** A CPF other than the holder's. */
const STRANGER = '11144477735';
/** The centavos of an amount determine the outcome at the simulated bank. */
const REFUSED = '95';
const HELD = '90';

const withCentavos = (amount: string, centavos: string): string => `${amount.split('.')[0]}.${centavos}`;

/** Throws an error with its own exit code unless the state is the expected one. */
function expectState(what: string, actual: string, expected: string): void {
  if (actual !== expected)
    throw new CliError(
      'scenario-failed',
      `${what} is ${actual}, not ${expected}.`,
      'To see why, run: ponte events.',
      EXIT.notVerified,
    );
}

async function credited(session: Session, endToEndId: string): Promise<Step> {
  const { ponte, accountId, signal } = session;
  const read = async () =>
    (await ponte.listDeposits(accountId, 'brl', { 'end-to-end-id': endToEndId }, { signal })).items[0];
  const deposit = await waitFor(
    'the deposit',
    read,
    (one) => one?.status === 'credited' || one?.status === 'voided',
    session.signal,
  );
  expectState('The deposit', deposit?.status ?? '', 'credited');
  return { did: 'deposit', id: deposit?.id ?? '', state: 'credited' };
}

async function fund(session: Session, amount: string): Promise<Step> {
  const { 'pix-payment': paid } = await session.ponte.simulatePixPayment(
    { 'account-id': session.accountId, amount },
    { signal: session.signal },
  );
  return credited(session, paid['end-to-end-id']);
}

/** Places an order by Pix code, which the holder or the given payer pays. */
async function paidOrder({ ponte, accountId, signal }: Session, amount: string, payer: string | null): Promise<Order> {
  const quote = await ponte.createQuote(accountId, { ...PAIR, 'source-amount': amount }, { signal });
  const { order } = await ponte.createOrder(
    accountId,
    { 'quote-id': quote.id, 'source-payment-method': 'brcode' },
    { signal },
  );
  await ponte.simulatePixPayment(
    { brcode: order.brcode ?? '', ...(payer === null ? {} : { 'payer-tax-id': payer }) },
    { signal },
  );
  return waitFor(
    'the order to end',
    async () => (await ponte.getOrder(accountId, order.id, { signal })).order,
    hasEnded,
    signal,
  );
}

async function withdrawal(session: Session, amount: string, ends: (state: string) => boolean): Promise<Step> {
  const { ponte, accountId, signal } = session;
  const { withdrawal: created } = await ponte.createWithdrawal(
    accountId,
    { asset: 'fiat/brl', method: 'pix', amount, 'pix-key': PIX_KEY },
    { signal },
  );
  const read = () => ponte.getWithdrawal(accountId, created.id, { signal });
  const { id, state } = await waitFor('the withdrawal', read, (one) => ends(one.state), signal);
  return { did: 'withdrawal', id, state };
}

const ended = (state: string): boolean => state === 'completed' || state === 'rolled-back';

const orderScenario = (name: string, description: string, payer: string | null, expected: string): Scenario => ({
  name,
  description,
  amount: '100.00',
  async run(session, amount, report) {
    const { id, state } = await paidOrder(session, amount, payer);
    report({ did: 'order', id, state });
    expectState('The order', state, expected);
  },
});

const withdrawalScenario = (name: string, description: string, centavos: string, expected: string): Scenario => ({
  name,
  description,
  amount: '10.00',
  async run(session, amount, report) {
    const exact = withCentavos(amount, centavos);
    report(await fund(session, exact));
    const step = await withdrawal(
      session,
      exact,
      expected === 'processing' ? (state) => state === 'processing' || ended(state) : ended,
    );
    report(step);
    expectState('The withdrawal', step.state, expected);
  },
});

export const MONEY_SCENARIOS: readonly Scenario[] = [
  {
    name: 'pix-paid',
    description: 'the account is funded by Pix',
    amount: '100.00',
    run: async (session, amount, report) => report(await fund(session, amount)),
  },
  {
    name: 'deposit',
    description: 'BRL arrives by TED',
    amount: '100.00',
    async run(session, amount, report) {
      const { deposit } = await session.ponte.simulateDeposit(
        { 'account-id': session.accountId, type: 'ted', amount },
        { signal: session.signal },
      );
      const endToEndId = deposit['end-to-end-id'];
      // Only token deposits have none.
      if (endToEndId === undefined) throw new Error('the sandbox returned a TED without an end-to-end id');
      report(await credited(session, endToEndId));
    },
  },
  orderScenario('order-completed', 'an order is paid by Pix code, and its BRLV is delivered', null, 'completed'),
  orderScenario(
    'order-rolled-back',
    'a third party pays the Pix code of an order, and the payment is returned',
    STRANGER,
    'rolled-back',
  ),
  withdrawalScenario('withdrawal-completed', 'BRL is withdrawn by Pix', '00', 'completed'),
  withdrawalScenario(
    'withdrawal-pending',
    'BRL is withdrawn by Pix, and the bank does not settle the payment yet',
    HELD,
    'processing',
  ),
  withdrawalScenario(
    'withdrawal-refused',
    'the bank refuses a withdrawal, and the money comes back',
    REFUSED,
    'rolled-back',
  ),
];

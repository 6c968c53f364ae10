import type { Recorded } from '@ponte/event-sourcing';
import type { ReceivedWebhook } from '../../../demo/webhook-receiver';
import { startWebhookReceiver } from '../../../demo/webhook-receiver';
import { readLog } from '../../testing/trial-balance';
import type { Balance, Order } from '../../testing/customer';
import { Customer } from '../../testing/customer';
import { brlvOnChain } from '../../testing/on-chain';
import type { Env, Program, Running } from '../../testing/program';
import { ANVIL, SIMULATED } from '../../testing/program';
import { until } from '../../testing/waiting';

export interface KillPoint {
  /** `before:HoldPlaced`: where the process kills itself with SIGKILL, at the append of an event. */
  readonly failpoint: string;
  readonly paidBy: 'balance' | 'brcode';
  readonly chain: 'simulated' | 'anvil';
  readonly env?: Env;
}

/** What there was to see once the cluster had recovered, and stopped again. */
export interface Aftermath {
  readonly killedBy: NodeJS.Signals | null;
  readonly accountId: string;
  readonly orderId: string;
  readonly order: Order;
  readonly orders: readonly Order[];
  readonly brl: Balance;
  readonly brlv: Balance;
  /** Supply and the wallet's share, by the chain itself; null where the chain is simulated. */
  readonly chain: { readonly supply: string; readonly wallet: string } | null;
  /** Answers that the client got for its one command, before the kill and after it. */
  readonly answers: readonly string[];
  readonly log: readonly Recorded[];
  readonly webhooks: readonly ReceivedWebhook[];
  readonly refusedWebhooks: number;
  /** What the second run complained of. */
  readonly complaints: string;
}

export const FUNDS = '100.00';
export const SPENT = '40.00';
const KEY = 'the-one-order';
const PAYMENTS = '/api/v1/sandbox/pix-payments';
/** Longer than the 30 s for which a key stays locked by a request that died. */
const RETRY_MS = 90_000;
const RETRY_STEP_MS = 250;
const DEATH_MS = 60_000;
/** One deposit and the three states of the order. */
const ALL_REPORTED = 4;

/** One order, killed at a point, carried on by a new process, and asked for again by its client. */
export async function killAndRecover(program: Program, point: KillPoint): Promise<Aftermath> {
  const receiver = await startWebhookReceiver();
  const folder = program.dataFolder();
  const env: Env = { ...(point.chain === 'anvil' ? ANVIL : SIMULATED), ...point.env };
  const answers: string[] = [];
  try {
    const doomed = await program.start(folder, { ...env, PONTE_FAILPOINT: point.failpoint });
    const { quoteId, paid } = await runIntoDeath(doomed, point, receiver, answers);
    const { signal } = await doomed.ended(DEATH_MS);

    const running = await program.start(folder, env);
    const customer = Customer.of(running.sandbox);
    const { id: orderId, brcode } = await retried(customer, quoteId, point, answers);
    // A holder who has paid does not pay again, whatever became of the word of it.
    if (brcode !== undefined && !paid) await customer.api.post(PAYMENTS, { brcode });
    const order = await customer.ended(orderId);
    await allReported(receiver);
    const seen = {
      orders: await customer.listShowing(order),
      brl: await customer.balance('brl'),
      brlv: await customer.balance('brlv'),
      chain: point.chain === 'anvil' ? await onChain(folder, running) : null,
    };
    await customer.api.close();
    await running.stop();
    return {
      ...seen,
      killedBy: signal,
      accountId: customer.accountId,
      orderId,
      order,
      answers,
      log: await readLog(folder),
      webhooks: receiver.verified,
      refusedWebhooks: receiver.refused,
      complaints: running.log,
    };
  } finally {
    await receiver.close();
  }
}

/** Resolves when the receiver has heard of the deposit and of every state of the order. */
export const allReported = ({ verified }: { readonly verified: readonly ReceivedWebhook[] }): Promise<void> =>
  until(() => {
    if (reported(verified) < ALL_REPORTED) throw new Error(`not everything was told: ${JSON.stringify(verified)}`);
  });

const reported = (webhooks: readonly ReceivedWebhook[]): number =>
  new Set(webhooks.map((one) => `${one['resource-id']} ${one.sequence}`)).size;

async function onChain(folder: string, { sandbox }: Running): Promise<Aftermath['chain']> {
  const chain = brlvOnChain(folder);
  return { supply: await chain.supply(), wallet: await chain.of(sandbox['wallet-address']) };
}

async function runIntoDeath(
  doomed: Running,
  point: KillPoint,
  receiver: Awaited<ReturnType<typeof startWebhookReceiver>>,
  answers: string[],
): Promise<{ quoteId: string; paid: boolean }> {
  const customer = Customer.of(doomed.sandbox);
  receiver.useSecret(await customer.listen(receiver.url));
  const command = await payUntilDeath(customer, point, answers);
  await customer.api.close();
  return command;
}

/** What the client does until the process dies under its hands. An answer that got through is kept. */
export async function payUntilDeath(
  customer: Customer,
  { paidBy }: KillPoint,
  answers: string[],
): Promise<{ quoteId: string; paid: boolean }> {
  if (paidBy === 'balance') await customer.fund(FUNDS);
  const quoteId = await customer.quote(SPENT);
  let paid = false;
  try {
    const answer = await customer.accept(quoteId, { key: KEY, brcode: paidBy === 'brcode' });
    if (answer.status !== 200) return { quoteId, paid };
    answers.push(answer.text);
    const { brcode } = answer.body.order;
    paid = brcode !== undefined;
    if (brcode !== undefined) await customer.api.post(PAYMENTS, { brcode });
  } catch {
    // The process is gone in the middle of it, which is the point.
  }
  return { quoteId, paid };
}

/** The same command under the same key, until it is answered. */
export function retried(customer: Customer, quoteId: string, { paidBy }: KillPoint, answers: string[]): Promise<Order> {
  return until(
    async () => {
      const answer = await customer.accept(quoteId, { key: KEY, brcode: paidBy === 'brcode' });
      if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${answer.text}`);
      answers.push(answer.text);
      return answer.body.order;
    },
    RETRY_MS,
    RETRY_STEP_MS,
  );
}

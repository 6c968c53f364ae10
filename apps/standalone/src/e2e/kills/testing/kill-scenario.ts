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
  /** Where the process kills itself with SIGKILL, such as `before:HoldPlaced`: at the append of an event. */
  readonly failpoint: string;
  readonly paidBy: 'balance' | 'brcode';
  readonly chain: 'simulated' | 'anvil';
  readonly env?: Env;
}

/** The observed state after the cluster has recovered and stopped again. */
export interface Aftermath {
  readonly killedBy: NodeJS.Signals | null;
  readonly accountId: string;
  readonly orderId: string;
  readonly order: Order;
  readonly orders: readonly Order[];
  readonly brl: Balance;
  readonly brlv: Balance;
  /** The token supply and the wallet's balance read from the chain; null if the chain is simulated. */
  readonly chain: { readonly supply: string; readonly wallet: string } | null;
  /** The responses to the client's one command, before and after the kill. */
  readonly answers: readonly string[];
  readonly log: readonly Recorded[];
  readonly webhooks: readonly ReceivedWebhook[];
  readonly refusedWebhooks: number;
  /** The log output after the restart. */
  readonly complaints: string;
}

export const FUNDS = '100.00';
export const SPENT = '40.00';
const KEY = 'the-one-order';
const PAYMENTS = '/api/v1/sandbox/pix-payments';
/** Longer than the 30 s for which an interrupted request keeps its key locked. */
const RETRY_MS = 90_000;
const RETRY_STEP_MS = 250;
const DEATH_MS = 60_000;
/** The number of webhooks: one for the deposit and three for the order's states. */
const ALL_REPORTED = 4;

/** Kills the process at a point of one order, starts a new process, and repeats the client's command. */
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
    // A holder who has already paid does not pay again, even if the payment got no response.
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

/** Resolves when the webhooks of the deposit and of every state of the order have arrived. */
export const allReported = ({ verified }: { readonly verified: readonly ReceivedWebhook[] }): Promise<void> =>
  until(() => {
    if (reported(verified) < ALL_REPORTED)
      throw new Error(`webhooks are missing, received: ${JSON.stringify(verified)}`);
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

/** Acts as the client until the process dies. A response received before that is recorded in `answers`. */
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
    // The process was killed during the request, as intended.
  }
  return { quoteId, paid };
}

/** Repeats the command under the same key until it succeeds. */
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

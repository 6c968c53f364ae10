import type { Json, PartnerClient } from './partner-client';
import { until } from './partner-client';
import type { WebhookReceiver } from './webhook-receiver';

/** What the story is told on: a running sandbox, seen as its partner sees it. */
export interface Stage {
  readonly client: PartnerClient;
  readonly accountId: string;
  readonly subaccountId: string;
  readonly walletAddress: string;
  readonly receiver: WebhookReceiver;
  /** Reads the token's balance from the chain itself, past the API. */
  readonly onChainBalance: () => Promise<string>;
  readonly say: (line: string) => void;
}

interface Quote extends Json { readonly id: string; readonly 'source-amount': string; readonly 'target-amount': string; readonly 'expires-at': string }
interface Order extends Json { readonly id: string; readonly state: string; readonly brcode?: string; readonly 'tx-hash'?: string | null }
interface Deposit extends Json { readonly id: string; readonly status: string; readonly amount: string }
interface Balance { readonly balance: { readonly 'running-balance': string; readonly 'available-balance': string; readonly 'held-balance': string } }

const DEPOSIT = '1000.00';
const FROM_BALANCE = '250.00';
const BY_BRCODE = '75.50';

/** The main job from end to end, told as it happens. Throws when a step does not come out as it should. */
export async function tellStory(stage: Stage): Promise<void> {
  const { say } = stage;
  await introduce(stage);
  say('');
  await depositByPix(stage);
  say('');
  await orderFromBalance(stage);
  say('');
  await orderByBrcode(stage);
  say('');
  await showWebhooks(stage);
}

const path = (stage: Stage, rest: string): string => `/api/v1/accounts/${stage.subaccountId}${rest}`;

async function introduce(stage: Stage): Promise<void> {
  const { accounts } = await stage.client.get<{ accounts: { id: string; alias: string; 'parent-id': string | null }[] }>('/api/v1/accounts');
  stage.say('1. Who is here');
  for (const account of accounts) stage.say(`   ${account['parent-id'] ? 'sub-account' : 'partner    '}  ${account.id}  ${account.alias}`);
  stage.say(`   wallet       ${stage.walletAddress} on eth-base`);
  const { 'webhook-endpoint': endpoint } = await stage.client.post<{ 'webhook-endpoint': { id: string; secret: string } }>(
    path(stage, '/webhook-endpoints'), { url: stage.receiver.url },
  );
  stage.receiver.useSecret(endpoint.secret);
  stage.say(`   webhooks go to ${stage.receiver.url}`);
}

async function depositByPix(stage: Stage): Promise<void> {
  stage.say(`2. A Pix of BRL ${DEPOSIT} arrives`);
  const funding = await stage.client.get<{ brcode: string }>(path(stage, '/assets/brl/deposits/pix'));
  stage.say(`   the account's Pix code  ${shorten(funding.brcode)}`);
  await stage.client.post('/api/v1/sandbox/pix-payments', { brcode: funding.brcode, amount: DEPOSIT });
  const { deposits } = await until(
    'the deposit', () => stage.client.get<{ deposits: Deposit[] }>(path(stage, '/assets/brl/deposits')),
    (answer) => answer.deposits[0]?.status === 'credited',
  );
  stage.say(`   deposit ${deposits[0]?.id} is ${deposits[0]?.status}`);
  await showBalances(stage);
}

async function orderFromBalance(stage: Stage): Promise<void> {
  stage.say(`3. BRL ${FROM_BALANCE} become BRLV, paid from the balance`);
  const quote = await quoteFor(stage, FROM_BALANCE);
  const { order } = await stage.client.post<{ order: Order }>(
    path(stage, '/orders'), { 'quote-id': quote.id }, { 'idempotency-key': `demo-${quote.id}` },
  );
  stage.say(`   order ${order.id} is ${order.state}`);
  await completed(stage, order);
}

async function orderByBrcode(stage: Stage): Promise<void> {
  stage.say(`4. BRL ${BY_BRCODE} become BRLV, paid by a one-time Pix code`);
  const quote = await quoteFor(stage, BY_BRCODE);
  const { order } = await stage.client.post<{ order: Order }>(path(stage, '/orders'), { 'quote-id': quote.id, 'source-payment-method': 'brcode' });
  if (!order.brcode) throw new Error('the order carries no brcode');
  stage.say(`   order ${order.id} waits for the payment of ${shorten(order.brcode)}`);
  await stage.client.post('/api/v1/sandbox/pix-payments', { brcode: order.brcode, amount: BY_BRCODE });
  stage.say('   the holder pays it');
  await completed(stage, order);
}

async function quoteFor(stage: Stage, amount: string): Promise<Quote> {
  const quote = await stage.client.post<Quote>(path(stage, '/quotes'), {
    'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': amount,
  });
  stage.say(`   quote ${quote.id}: BRL ${quote['source-amount']} for BRLV ${quote['target-amount']}, until ${quote['expires-at']}`);
  return quote;
}

async function completed(stage: Stage, placed: Order): Promise<void> {
  const { order } = await until(
    'the order', () => stage.client.get<{ order: Order }>(path(stage, `/orders/${placed.id}`)),
    (answer) => answer.order.state === 'completed' || answer.order.state === 'rolled-back',
  );
  if (order.state !== 'completed') throw new Error(`the order ended ${order.state}: ${JSON.stringify(order['failure'])}`);
  stage.say(`   completed, minted by transaction ${order['tx-hash']}`);
  await showBalances(stage);
}

async function showBalances(stage: Stage): Promise<void> {
  for (const asset of ['brl', 'brlv'] as const) {
    const { balance } = await stage.client.get<Balance>(path(stage, `/assets/${asset}/balance`));
    stage.say(`   ${asset.toUpperCase().padEnd(4)} balance ${balance['running-balance']} (available ${balance['available-balance']}, held ${balance['held-balance']})`);
  }
  stage.say(`   BRLV on the chain, read from the chain: ${await stage.onChainBalance()}`);
}

async function showWebhooks(stage: Stage): Promise<void> {
  const wanted = { 'deposit-processed': 2, 'order-completed': 2 };
  const count = (type: string) => stage.receiver.verified.filter((event) => event['event-type'] === type).length;
  await until('the webhooks', async () => stage.receiver.verified.length, () => Object.entries(wanted).every(([type, times]) => count(type) >= times));
  stage.say('5. What the partner was told, every signature verified');
  for (const event of stage.receiver.verified) stage.say(`   ${event['event-type'].padEnd(18)} ${event['resource-id']}  #${event.sequence}`);
  if (stage.receiver.refused > 0) throw new Error(`${stage.receiver.refused} webhooks did not verify`);
}

const VISIBLE = 44;
const shorten = (brcode: string): string => `${brcode.slice(0, VISIBLE)}…${brcode.slice(-4)}`;

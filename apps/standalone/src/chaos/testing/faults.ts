import type { EnvelopePublished } from '@ponte/contracts';
import Big from 'big.js';
import { outboxEntries } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { trialBalanceOf, ofType } from '../../e2e/testing/trial-balance';
import type { Balance } from '../../e2e/testing/customer';
import type { MintOnChain } from '../../e2e/testing/on-chain';
import { assetNamed } from './mix';
import type { Listener } from './listener';
import type { Acknowledged } from './answered';
import type { Load } from './load';

export interface Evidence {
  readonly log: readonly Recorded[];
  readonly load: Pick<Load, 'acknowledged' | 'refused' | 'lost'>;
  readonly listener: Pick<Listener, 'delivered' | 'refused'>;
  /** Orders from before the load. */
  readonly before: ReadonlySet<string>;
  /** The partner whose webhooks the listener receives. */
  readonly partnerId: string;
  /** The balances that the API reported at the end, by account and symbol. */
  readonly balances: ReadonlyMap<string, Readonly<Record<string, Balance>>>;
  /** The mints read from the token's contract; null if the chain is simulated. */
  readonly mints: readonly MintOnChain[] | null;
}

/** The events that every order has exactly once in the log, with the field that names the order. */
const ONCE: readonly (readonly [string, (data: OrderData) => string | undefined])[] = [
  ['OrderPlaced', ({ orderId }) => orderId],
  ['OrderCompleted', ({ orderId }) => orderId],
  ['ExchangePosted', ({ orderId }) => orderId],
  [
    'TransactionIntended',
    ({ purpose }) => purpose?.orderId ?? (purpose?.owner?.kind === 'order' ? purpose.owner.id : undefined),
  ],
];
interface OrderData {
  readonly orderId?: string;
  readonly quoteId?: string;
  readonly purpose?: { readonly orderId?: string; readonly owner?: { readonly kind: string; readonly id: string } };
}
interface Intended {
  readonly purpose: { readonly kind?: string; readonly asset?: string; readonly to: string; readonly amount: string };
}

/** Checks the evidence and returns the faults found. */
export function faultsOf(evidence: Evidence): string[] {
  const { log, load, before } = evidence;
  return [
    ...load.lost.map((request) => `no final answer: ${request}`),
    ...load.refused.map(({ answer }) => `refused: ${answer}`),
    ...repeatedOrders(load.acknowledged),
    ...ONCE.flatMap(([type, idOf]) => once(log, type, idOf, load.acknowledged, before)),
    ...trialBalanceAndBalances(evidence),
    ...onChain(evidence),
    ...webhooks(evidence),
  ];
}

/** No order was the answer to two keys. */
function repeatedOrders(acknowledged: readonly Acknowledged[]): string[] {
  const requests = new Map<string, number>();
  return acknowledged.flatMap(({ orderId, request }) => {
    const other = requests.get(orderId);
    requests.set(orderId, request);
    return other === undefined ? [] : [`order ${orderId} was the answer to commands ${other} and ${request}`];
  });
}

/** Each acknowledged order has the event exactly once, and no other order has it. */
function once(
  log: readonly Recorded[],
  type: string,
  idOf: (data: OrderData) => string | undefined,
  acknowledged: readonly Acknowledged[],
  before: ReadonlySet<string>,
): string[] {
  const counts = new Map<string, number>();
  for (const { data } of ofType<OrderData>(log, type)) {
    const id = idOf(data);
    // Transactions of movements have no order id.
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const faults = acknowledged.flatMap(({ orderId }) =>
    counts.get(orderId) === 1 ? [] : [`${type} of order ${orderId} is ${counts.get(orderId) ?? 0} times in the log`],
  );
  for (const { orderId } of acknowledged) counts.delete(orderId);
  return [
    ...faults,
    ...[...counts.keys()]
      .filter((id) => !before.has(id))
      .map((id) => `${type} of order ${id}, which was not acknowledged`),
  ];
}

function trialBalanceAndBalances({ log, balances }: Evidence): string[] {
  const { unbalancedAt, openHolds, lines } = trialBalanceOf(log);
  const differing = [...balances].flatMap(([account, reportedBalances]) =>
    Object.entries(reportedBalances).flatMap(([symbol, reported]) => {
      const asset = assetNamed(symbol);
      const booked = lines.get(`customer:${account} ${asset}`)?.toString();
      return booked === reported.running && reported.available === reported.running
        ? []
        : [`${account} has ${booked} ${asset} by its postings, but the API reported ${JSON.stringify(reported)}`];
    }),
  );
  return [
    ...(unbalancedAt === null ? [] : [`the books do not sum to zero at ${unbalancedAt}`]),
    ...openHolds.map((hold) => `hold ${hold} is still open`),
    ...differing,
  ];
}

const MINTED = 'eth-base/brlv';

/** The chain has each intended mint exactly once, and no other mint. */
function onChain({ log, mints }: Evidence): string[] {
  if (mints === null) return [];
  const key = ({ to, amount }: MintOnChain): string => `${new Big(amount).toFixed()} BRLV to ${to.toLowerCase()}`;
  const counts = new Map<string, number>();
  const count = (mint: MintOnChain, by: number): void => void counts.set(key(mint), (counts.get(key(mint)) ?? 0) + by);
  for (const { data } of ofType<Intended>(log, 'TransactionIntended')) {
    const { kind = 'mint', asset = MINTED } = data.purpose;
    if (kind === 'mint' && asset === MINTED) count(data.purpose, -1);
  }
  for (const mint of mints) count(mint, 1);
  return [...counts]
    .filter(([, more]) => more !== 0)
    .map(([what, more]) => `the chain has ${Math.abs(more)} mints of ${what} ${more > 0 ? 'too many' : 'too few'}`);
}

/** Each outbox event arrived at least once, always with the same body and the same `webhook-id`. */
function webhooks({ log, listener, partnerId, load }: Evidence): string[] {
  const orders = new Set(load.acknowledged.map(({ orderId }) => orderId));
  const published = ofType<EnvelopePublished['data']>(log, 'EnvelopePublished')
    .filter(({ stream }) => stream === `outbox-${partnerId}`)
    .flatMap(({ data }) => outboxEntries(data))
    .filter(({ envelope }) => orders.has(envelope.resourceId));
  const missing = published
    .filter(({ envelope }) => !listener.delivered.has(envelope.eventId))
    .map(({ envelope }) => `webhook ${envelope.eventType} of ${envelope.resourceId} never arrived`);
  const reported = new Map<string, string>();
  const double = published.flatMap(({ envelope }) => {
    const same = `${envelope.resourceId} ${envelope.sequence}`;
    const before = reported.get(same);
    reported.set(same, envelope.eventId);
    return before === undefined ? [] : [`${same} is published as ${before} and ${envelope.eventId}`];
  });
  const changed = [...listener.delivered]
    .filter(([, { webhookIds, bodies }]) => webhookIds.size !== 1 || bodies.size !== 1)
    .map(([event]) => `event ${event} arrived under two webhook-ids or with two bodies`);
  return [...missing, ...double, ...changed, ...listener.refused.map((why) => `no valid signature: ${why}`)];
}

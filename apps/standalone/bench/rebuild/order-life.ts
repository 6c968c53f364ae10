import type { Funding, PublishedEnvelope, WebhookEventType } from '@ponte/contracts';
import {
  DeliveredAtOnce, DeliveryAttemptFailed, DeliveryScheduled, DeliveryStarted, DeliverySucceeded, EnvelopePublished, ExchangePosted, HoldPlaced, NO_CHARGES, OrderCompleted,
  OrderPlaced, OrderProcessingStarted, QuoteAccepted, QuoteIssued, TransactionConfirmed, TransactionIntended, TransactionSigned,
} from '@ponte/contracts';
import { paidCharge } from './pix-life';
import type { Life, Step, World } from './world';
import { step } from './world';

/** Of a hundred webhooks so many are not taken at once. */
const SLOW_RECEIVERS = 4;
const QUOTES_WITHOUT_ORDER = 20;
const PAID_BY_PIX = 35;
const OPERATOR = '0x00000000000000000000000000000000000000aa';
const AMOUNT = '100.00';
const TOKENS = '98.500000000000000000';

/** A quote, and in general the order that follows: paid from the balance or by Pix, minted, told of. */
export function* orderLife(world: World, number: number): Life {
  const { seeded } = world;
  const at = seeded.below(world.accounts);
  const [accountId, parentId] = [world.accountId(at), world.partnerOf(at)];
  const [quoteId, orderId] = [seeded.id('quote', number), seeded.id('order', number)];
  yield { stream: `quote-${quoteId}`, events: [quote(world, quoteId, accountId)] };
  if (seeded.chance(QUOTES_WITHOUT_ORDER)) return;
  const byPix = seeded.chance(PAID_BY_PIX);
  const holdId = seeded.id('hold', number);
  const txid = holdId.replaceAll('-', '').slice(0, 26);
  const expiration = world.now();
  const funding: Funding = byPix ? { kind: 'brcode', txid, brcode: `00020126${txid}6304ABCD`.padEnd(180, '0'), expiration } : { kind: 'account-balance', holdId };
  if (!byPix) {
    const hold = { holdId, owner: { kind: 'order' as const, id: orderId }, asset: 'fiat/brl' as const, amount: AMOUNT };
    yield { stream: `ledgerAccount-${accountId}`, events: [new HoldPlaced({ accountId, hold, placedAt: world.now() })] };
  }
  const common = {
    orderId, accountId, createdBy: `ak_${accountId.slice(0, 8)}`, sourceAsset: 'fiat/brl', targetAsset: 'eth-base/brlv', sourceAmount: AMOUNT, targetAmount: TOKENS,
    effectiveRate: '1.0152284263', sourceWalletAddress: null,
  } as const;
  const address = seeded.hex(20, 'wallet', at);
  const placed = new OrderPlaced({
    ...common, quoteId, parentId, externalId: `order-${number}`, createdAt: world.now(), baseRate: '1.0000000000', feeAmount: '1.50', feeAsset: 'fiat/brl',
    rateLock: null, charges: NO_CHARGES, settlement: 'mint', pixDelivery: null, target: { address, custody: true }, funding,
  });
  const started = (depositId: string | null) => new OrderProcessingStarted({ orderId, accountId, startedAt: world.now(), holdId, depositId });
  yield { stream: `order-${orderId}`, events: byPix ? [placed] : [placed, started(null)] };
  yield { stream: `quote-${quoteId}`, events: [new QuoteAccepted({ quoteId, orderId, acceptedAt: world.now() })] };
  yield* told(world, { parentId, accountId, orderId, type: 'order-created', sequence: 1 });
  if (byPix) {
    const depositId = yield* paidCharge(world, { number, accountId, parentId, orderId, txid, holdId, amount: AMOUNT, expiration });
    yield { stream: `order-${orderId}`, events: [started(depositId)] };
  }
  yield* told(world, { parentId, accountId, orderId, type: 'order-processing', sequence: 2 });
  const txHash = yield* minted(world, { number, orderId, accountId, to: address });
  yield {
    stream: `ledgerAccount-${accountId}`,
    events: [new ExchangePosted({
      accountId, postingId: seeded.id('posting', number), holdId, orderId, debit: { asset: 'fiat/brl', amount: AMOUNT }, credit: { asset: 'eth-base/brlv', amount: TOKENS },
      charges: NO_CHARGES, deliveryHold: null, postings: [
        { account: `customer:${accountId}`, asset: 'fiat/brl', amount: '-100.00' }, { account: 'house:reserve', asset: 'fiat/brl', amount: '98.50' },
        { account: 'house:fees', asset: 'fiat/brl', amount: '1.50' }, { account: `customer:${accountId}`, asset: 'eth-base/brlv', amount: TOKENS },
        { account: 'house:issuance', asset: 'eth-base/brlv', amount: `-${TOKENS}` },
      ],
      postedAt: world.now(),
    })],
  };
  const now = world.now();
  yield { stream: `order-${orderId}`, events: [new OrderCompleted({ ...common, completedAt: now, txHash, txTimestamp: now, targetWalletAddress: address, delivery: null })] };
  yield* told(world, { parentId, accountId, orderId, type: 'order-completed', sequence: 3 });
}

function quote(world: World, quoteId: string, accountId: string): QuoteIssued {
  const rate = (amount: string) => ({ amount, base: 'BRLV', quote: 'BRL' });
  return new QuoteIssued({
    quoteId,
    accountId,
    scope: 'account',
    sourceAsset: 'fiat/brl',
    targetAsset: 'eth-base/brlv',
    sourceAmount: AMOUNT,
    targetAmount: TOKENS,
    givenSide: 'source',
    createdAt: world.now(),
    expiresAt: world.now(),
    offMarketPricing: false,
    vet: rate('1.0152284263'),
    tradeReason: null,
    rateLock: null,
    pricing: {
      baseRate: rate('1.0000000000'),
      spread: { amount: '0.00', asset: 'fiat/brl', bps: 0 },
      fee: { amount: '1.50', asset: 'fiat/brl', kind: 'fixed' },
      iof: { amount: '0.00', asset: 'fiat/brl', applicable: false, basisRef: 'none' },
    },
    inputs: {
      givenAmount: AMOUNT,
      rates: [],
      offMarketSet: null,
      rulesVersion: world.seeded.id('rules', 0),
      rules: [],
    },
  });
}

function* minted(world: World, { number, orderId, accountId, to }: { number: number; orderId: string; accountId: string; to: string }): Generator<Step, string> {
  const transactionId = world.seeded.id('transaction', number);
  const [chain, id, txHash] = ['eth-base' as const, world.seeded.id('mint', number), world.seeded.hex(32, 'tx', number)];
  const stream = `chainTransaction-${transactionId}`;
  const about = { transactionId, chain };
  yield step(stream, new TransactionIntended({ ...about, from: OPERATOR, purpose: { kind: 'mint', id, orderId, accountId, asset: 'eth-base/brlv', amount: TOKENS, to }, intendedAt: world.now() }));
  yield step(stream, new TransactionSigned({ ...about, from: OPERATOR, nonce: world.nonce(chain), raw: world.seeded.hex(180, 'raw', number), txHash, maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000000' }));
  const now = world.now();
  yield step(stream, new TransactionConfirmed({
    ...about, purpose: { kind: 'mint', id, orderId, accountId }, txHash, blockNumber: String(number), blockHash: world.seeded.hex(32, 'block', number), minedAt: now, confirmedAt: now,
    from: OPERATOR, nonce: null, final: true,
  }));
  return txHash;
}

interface Telling { readonly parentId: string; readonly accountId: string; readonly orderId: string; readonly type: WebhookEventType; readonly sequence: number }

/** The entry of the outbox, and its delivery to the partner's endpoint. */
function* told(world: World, { parentId, accountId, orderId, type, sequence }: Telling): Life {
  const eventId = world.seeded.id('published', orderId, sequence);
  const envelope: PublishedEnvelope = {
    eventId, eventType: type, accountId, resourceType: 'order', resourceId: orderId, sequence, previousState: sequence === 1 ? null : 'created',
    occurredAt: world.now(), apiVersion: 'v1',
    payload: { 'order-id': orderId, 'account-id': accountId, 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': AMOUNT, 'target-amount': TOKENS },
  };
  const sourcePosition = '1';
  yield step(`outbox-${parentId}`, new EnvelopePublished({ first: null, entries: [{ envelope, sourcePosition }], sourcePosition }));
  const endpointId = world.endpointOf(parentId);
  const deliveryId = world.seeded.id('delivery', eventId);
  const stream = `delivery-${deliveryId}`;
  const ids = { deliveryId, endpointId, accountId: parentId };
  const now = world.now();
  if (!world.seeded.chance(SLOW_RECEIVERS)) {
    yield step(stream, new DeliveredAtOnce({ ...ids, eventId, eventType: type, sourcePosition, correlationId: orderId, scheduledAt: now, succeededAt: now, httpStatus: 200 }));
    return;
  }
  const begun = [new DeliveryScheduled({ ...ids, envelope, dueAt: now, after: null, correlationId: orderId }), new DeliveryStarted({ deliveryId, attempt: 1, startedAt: now })];
  yield step(stream, ...begun, new DeliveryAttemptFailed({ ...ids, attempt: 1, failedAt: now, httpStatus: 503, reason: 'http-status', nextAt: now }));
  yield step(stream, new DeliveryStarted({ deliveryId, attempt: 2, startedAt: now }));
  yield step(stream, new DeliverySucceeded({ ...ids, attempt: 2, succeededAt: now, httpStatus: 200 }));
}

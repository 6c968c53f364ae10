import type { Funding, PublishedEnvelope, WebhookEventType } from '@ponte/contracts';
import {
  DeliveredAtOnce,
  DeliveryAttemptFailed,
  DeliveryScheduled,
  DeliveryStarted,
  DeliverySucceeded,
  EnvelopePublished,
  ExchangePosted,
  HoldPlaced,
  NO_CHARGES,
  OrderCompleted,
  OrderPlaced,
  OrderProcessingStarted,
  QuoteAccepted,
  QuoteIssued,
  TransactionConfirmed,
  TransactionIntended,
  TransactionSigned,
} from '@ponte/contracts';
import { paidCharge } from './pix-life';
import type { Life, Step, Fixtures } from './fixtures';
import { step } from './fixtures';

/** Of a hundred webhooks so many are not taken at once. */
const SLOW_RECEIVERS = 4;
const QUOTES_WITHOUT_ORDER = 20;
const PAID_BY_PIX = 35;
const OPERATOR = '0x00000000000000000000000000000000000000aa';
const AMOUNT = '100.00';
const TOKENS = '98.500000000000000000';

/** A quote, and in general the order that follows: paid from the balance or by Pix, minted, reported by webhook. */
export function* orderLife(fixtures: Fixtures, number: number): Life {
  const { seeded } = fixtures;
  const at = seeded.below(fixtures.accounts);
  const [accountId, parentId] = [fixtures.accountId(at), fixtures.partnerOf(at)];
  const [quoteId, orderId] = [seeded.id('quote', number), seeded.id('order', number)];
  yield { stream: `quote-${quoteId}`, events: [quote(fixtures, quoteId, accountId)] };
  if (seeded.chance(QUOTES_WITHOUT_ORDER)) return;
  const byPix = seeded.chance(PAID_BY_PIX);
  const holdId = seeded.id('hold', number);
  const txid = holdId.replaceAll('-', '').slice(0, 26);
  const expiration = fixtures.now();
  const funding: Funding = byPix
    ? { kind: 'brcode', txid, brcode: `00020126${txid}6304ABCD`.padEnd(180, '0'), expiration }
    : { kind: 'account-balance', holdId };
  if (!byPix) {
    const hold = { holdId, owner: { kind: 'order' as const, id: orderId }, asset: 'fiat/brl' as const, amount: AMOUNT };
    yield {
      stream: `ledgerAccount-${accountId}`,
      events: [new HoldPlaced({ accountId, hold, placedAt: fixtures.now() })],
    };
  }
  const common = {
    orderId,
    accountId,
    createdBy: `ak_${accountId.slice(0, 8)}`,
    sourceAsset: 'fiat/brl',
    targetAsset: 'eth-base/brlv',
    sourceAmount: AMOUNT,
    targetAmount: TOKENS,
    effectiveRate: '1.0152284263',
    sourceWalletAddress: null,
  } as const;
  const address = seeded.hex(20, 'wallet', at);
  const placed = new OrderPlaced({
    ...common,
    quoteId,
    parentId,
    externalId: `order-${number}`,
    createdAt: fixtures.now(),
    baseRate: '1.0000000000',
    feeAmount: '1.50',
    feeAsset: 'fiat/brl',
    rateLock: null,
    charges: NO_CHARGES,
    settlement: 'mint',
    pixDelivery: null,
    target: { address, custody: true },
    funding,
  });
  const started = (depositId: string | null) =>
    new OrderProcessingStarted({ orderId, accountId, startedAt: fixtures.now(), holdId, depositId });
  yield { stream: `order-${orderId}`, events: byPix ? [placed] : [placed, started(null)] };
  yield { stream: `quote-${quoteId}`, events: [new QuoteAccepted({ quoteId, orderId, acceptedAt: fixtures.now() })] };
  yield* reported(fixtures, { parentId, accountId, orderId, type: 'order-created', sequence: 1 });
  if (byPix) {
    const depositId = yield* paidCharge(fixtures, {
      number,
      accountId,
      parentId,
      orderId,
      txid,
      holdId,
      amount: AMOUNT,
      expiration,
    });
    yield { stream: `order-${orderId}`, events: [started(depositId)] };
  }
  yield* reported(fixtures, { parentId, accountId, orderId, type: 'order-processing', sequence: 2 });
  const txHash = yield* minted(fixtures, { number, orderId, accountId, to: address });
  yield {
    stream: `ledgerAccount-${accountId}`,
    events: [
      new ExchangePosted({
        accountId,
        postingId: seeded.id('posting', number),
        holdId,
        orderId,
        debit: { asset: 'fiat/brl', amount: AMOUNT },
        credit: { asset: 'eth-base/brlv', amount: TOKENS },
        charges: NO_CHARGES,
        deliveryHold: null,
        postings: [
          { account: `customer:${accountId}`, asset: 'fiat/brl', amount: '-100.00' },
          { account: 'house:reserve', asset: 'fiat/brl', amount: '98.50' },
          { account: 'house:fees', asset: 'fiat/brl', amount: '1.50' },
          { account: `customer:${accountId}`, asset: 'eth-base/brlv', amount: TOKENS },
          { account: 'house:issuance', asset: 'eth-base/brlv', amount: `-${TOKENS}` },
        ],
        postedAt: fixtures.now(),
      }),
    ],
  };
  const now = fixtures.now();
  yield {
    stream: `order-${orderId}`,
    events: [
      new OrderCompleted({
        ...common,
        completedAt: now,
        txHash,
        txTimestamp: now,
        targetWalletAddress: address,
        delivery: null,
      }),
    ],
  };
  yield* reported(fixtures, { parentId, accountId, orderId, type: 'order-completed', sequence: 3 });
}

function quote(fixtures: Fixtures, quoteId: string, accountId: string): QuoteIssued {
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
    createdAt: fixtures.now(),
    expiresAt: fixtures.now(),
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
      rulesVersion: fixtures.seeded.id('rules', 0),
      rules: [],
    },
  });
}

function* minted(
  fixtures: Fixtures,
  { number, orderId, accountId, to }: { number: number; orderId: string; accountId: string; to: string },
): Generator<Step, string> {
  const transactionId = fixtures.seeded.id('transaction', number);
  const [chain, id, txHash] = [
    'eth-base' as const,
    fixtures.seeded.id('mint', number),
    fixtures.seeded.hex(32, 'tx', number),
  ];
  const stream = `chainTransaction-${transactionId}`;
  const about = { transactionId, chain };
  yield step(
    stream,
    new TransactionIntended({
      ...about,
      from: OPERATOR,
      purpose: { kind: 'mint', id, orderId, accountId, asset: 'eth-base/brlv', amount: TOKENS, to },
      intendedAt: fixtures.now(),
    }),
  );
  yield step(
    stream,
    new TransactionSigned({
      ...about,
      from: OPERATOR,
      nonce: fixtures.nonce(chain),
      raw: fixtures.seeded.hex(180, 'raw', number),
      txHash,
      maxFeePerGas: '3000000000',
      maxPriorityFeePerGas: '1000000000',
    }),
  );
  const now = fixtures.now();
  yield step(
    stream,
    new TransactionConfirmed({
      ...about,
      purpose: { kind: 'mint', id, orderId, accountId },
      txHash,
      blockNumber: String(number),
      blockHash: fixtures.seeded.hex(32, 'block', number),
      minedAt: now,
      confirmedAt: now,
      from: OPERATOR,
      nonce: null,
      final: true,
    }),
  );
  return txHash;
}

interface Telling {
  readonly parentId: string;
  readonly accountId: string;
  readonly orderId: string;
  readonly type: WebhookEventType;
  readonly sequence: number;
}

/** The entry of the outbox, and its delivery to the partner's endpoint. */
function* reported(fixtures: Fixtures, { parentId, accountId, orderId, type, sequence }: Telling): Life {
  const eventId = fixtures.seeded.id('published', orderId, sequence);
  const envelope: PublishedEnvelope = {
    eventId,
    eventType: type,
    accountId,
    resourceType: 'order',
    resourceId: orderId,
    sequence,
    previousState: sequence === 1 ? null : 'created',
    occurredAt: fixtures.now(),
    apiVersion: 'v1',
    payload: {
      'order-id': orderId,
      'account-id': accountId,
      'source-asset': 'fiat/brl',
      'target-asset': 'eth-base/brlv',
      'source-amount': AMOUNT,
      'target-amount': TOKENS,
    },
  };
  const sourcePosition = '1';
  yield step(
    `outbox-${parentId}`,
    new EnvelopePublished({ first: null, entries: [{ envelope, sourcePosition }], sourcePosition }),
  );
  const endpointId = fixtures.endpointOf(parentId);
  const deliveryId = fixtures.seeded.id('delivery', eventId);
  const stream = `delivery-${deliveryId}`;
  const ids = { deliveryId, endpointId, accountId: parentId };
  const now = fixtures.now();
  if (!fixtures.seeded.chance(SLOW_RECEIVERS)) {
    yield step(
      stream,
      new DeliveredAtOnce({
        ...ids,
        eventId,
        eventType: type,
        sourcePosition,
        correlationId: orderId,
        scheduledAt: now,
        succeededAt: now,
        httpStatus: 200,
      }),
    );
    return;
  }
  const begun = [
    new DeliveryScheduled({ ...ids, envelope, dueAt: now, after: null, correlationId: orderId }),
    new DeliveryStarted({ deliveryId, attempt: 1, startedAt: now }),
  ];
  yield step(
    stream,
    ...begun,
    new DeliveryAttemptFailed({
      ...ids,
      attempt: 1,
      failedAt: now,
      httpStatus: 503,
      reason: 'http-status',
      nextAt: now,
    }),
  );
  yield step(stream, new DeliveryStarted({ deliveryId, attempt: 2, startedAt: now }));
  yield step(stream, new DeliverySucceeded({ ...ids, attempt: 2, succeededAt: now, httpStatus: 200 }));
}

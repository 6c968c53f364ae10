import type { Funding } from '@ponte/contracts';
import {
  ExchangePosted,
  HoldPlaced,
  NO_CHARGES,
  OrderCompleted,
  OrderPlaced,
  OrderProcessingStarted,
  QuoteAccepted,
  QuoteIssued,
} from '@ponte/contracts';
import { minted } from './mint-life';
import { AMOUNT, reported, TOKENS } from './report-life';
import { paidCharge } from './pix-life';
import type { Life, Fixtures } from './fixtures';

/** Shares in percent. */
const QUOTES_WITHOUT_ORDER = 20;
const PAID_BY_PIX = 35;

/** A quote and, usually, its order: paid from the balance or by Pix, minted, and reported by webhook. */
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

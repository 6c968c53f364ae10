import 'reflect-metadata';
import type { DomainEvent } from '@ponte/event-sourcing';
import { AccountFrozen, AccountReleased, AddressReviewOpened, AddressReviewed } from '@ponte/contracts';
import type { TransactionPurpose } from '@ponte/contracts';
import { TransactionIntended, TransactionSigned } from '@ponte/contracts';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import type { Recorded } from '@ponte/event-sourcing';
import { catchUp, createReadModelCheckpoints } from '@ponte/read-models';
import { PendingTransactions, TRANSACTIONS_READER } from '../transactions/pending-transactions.read-model';
import { WaitingTransactions } from '../transactions/waiting-transactions.read-model';
import { MovementDecisions } from './movement-decisions.read-model';

const [ACCOUNT, ORDER] = ['account-1', 'order-1'];
const day = (number: number) => `2026-03-0${number}T12:00:00.000Z`;
const MINT = {
  ...({ kind: 'mint', id: 'm1', orderId: ORDER, accountId: ACCOUNT } as const),
  ...({ asset: 'eth-base/brlv', amount: '1.000000000000000000', to: '0x2' } as const),
};

let readModels: ReturnType<typeof openSqliteReadModels>;
let waiting: WaitingTransactions;
let position: number;
let follow: (stream: string, at: string, event: DomainEvent) => Promise<void>;
beforeEach(async () => {
  position = 0;
  readModels = openSqliteReadModels<unknown>(':memory:');
  await createReadModelCheckpoints(readModels).prepare();
  waiting = new WaitingTransactions(readModels);
  const others = [new PendingTransactions(readModels), new MovementDecisions(readModels)];
  await Promise.all([waiting, ...others].map((one) => one.onModuleInit()));
  const store = { comparePositions: (a: string, b: string) => Number(a) - Number(b), read: async () => [] };
  const parts = [PendingTransactions.part, WaitingTransactions.part];
  const transactions = catchUp({ reader: { name: TRANSACTIONS_READER, parts }, readModels, store });
  const decisions = catchUp({ reader: { name: 'decisions', parts: [MovementDecisions.part] }, readModels, store });
  follow = async (stream, at, { type, data }) => {
    position += 1;
    const meta = { commandId: 'c', index: 0, count: 1, occurredAt: at, correlationId: 'c' };
    const recorded = { type, data, version: 1, stream, revision: position, position: String(position), id: 'e', meta };
    const reader = stream.startsWith('chainTransaction-') ? transactions : decisions;
    await reader.apply({ events: [recorded as Recorded], position: String(position), caughtUp: true }, 1);
  };
});
afterEach(() => readModels.destroy());

const intend = (at: string, purpose: TransactionPurpose = MINT, restores?: string) => {
  const intended = { transactionId: 't1', chain: 'eth-base', from: '0x1', purpose, intendedAt: at } as const;
  return follow('chainTransaction-t1', at, new TransactionIntended({ ...intended, ...(restores && { restores }) }));
};
const sign = (at: string) => {
  const fees = { maxFeePerGas: '1', maxPriorityFeePerGas: '1' };
  const signed = { transactionId: 't1', chain: 'eth-base', from: '0x1', nonce: 0, raw: '0x', txHash: '0xa' } as const;
  return follow('chainTransaction-t1', at, new TransactionSigned({ ...signed, ...fees }));
};
const byStaff = { evidence: null, requestedBy: 'one', confirmedBy: 'two' } as const;
const freeze = (at: string) => {
  const frozen = { accountId: ACCOUNT, reason: 'court-order', ...byStaff, frozenAt: at } as const;
  return follow(`account-${ACCOUNT}`, at, new AccountFrozen(frozen));
};
const release = (at: string) => {
  const released = { accountId: ACCOUNT, reason: 'resolved', ...byStaff, releasedAt: at } as const;
  return follow(`account-${ACCOUNT}`, at, new AccountReleased(released));
};
const about = { reviewId: 'r', subject: { kind: 'order', id: ORDER }, accountId: ACCOUNT } as const;
const openReview = (at: string) =>
  follow('addressReview-r', at, new AddressReviewOpened({ ...about, address: '0x2', hits: [], openedAt: at }));
const review = (at: string) => {
  const decided = { verdict: 'false-positive', reason: 'sealed:v1:x', staffId: 's', outcome: 'clear' } as const;
  return follow('addressReview-r', at, new AddressReviewed({ ...about, ...decided, reviewedAt: at }));
};
const shows = async (waitsFor: string, since: string) =>
  expect(await waiting.unfinished()).toEqual([{ chain: 'eth-base', count: 1, waitsFor, since }]);

describe('An unfinished transaction', () => {
  it('waits for the release of its account while it is unsigned, and counts from the release afterwards', async () => {
    await intend(day(1));
    await shows('nothing', day(1));
    await freeze(day(2));
    await shows('release', day(2));
    await release(day(5));
    await shows('nothing', day(5));
    await sign(day(6));
    await shows('nothing', day(6));
  });

  it('waits for no release once it is signed', async () => {
    await intend(day(1));
    await sign(day(2));
    await freeze(day(3));
    await shows('nothing', day(2));
  });

  it('waits for no release once it is signed, even if an earlier release wrote its row', async () => {
    await intend(day(1));
    await freeze(day(2));
    await sign(day(3));
    const old = { id: 't1', chain: 'eth-base', since: day(3), account_id: ACCOUNT, subject_id: ORDER } as const;
    await waiting.table.write([{ put: old }]);
    await shows('nothing', day(3));
    await release(day(5));
    await shows('nothing', day(3));
  });

  it('waits for the review of its target, and counts from the verdict afterwards', async () => {
    await openReview(day(1));
    await intend(day(2));
    await shows('review', day(2));
    await review(day(4));
    await shows('nothing', day(4));
  });

  it('waits for no release if it restores a lost one or moves tokens in suspense', async () => {
    await freeze(day(1));
    await intend(day(2), MINT, 't0');
    await shows('nothing', day(2));
    const owner = { kind: 'suspense', id: 'd1' } as const;
    const wallets = { walletIds: ['w'], from: '0x1', to: '0x2', receiver: null };
    const { id, accountId, asset, amount } = MINT;
    await intend(day(3), { kind: 'token-movement', id, owner, accountId, asset, amount, ...wallets });
    await shows('nothing', day(3));
  });

  it('waits for nothing known if an earlier version recorded its intent', async () => {
    await intend(day(1));
    const old = { id: 't1', chain: 'eth-base', since: day(1), account_id: null, subject_id: null } as const;
    await waiting.table.write([{ put: old }]);
    await freeze(day(2));
    await shows('nothing', day(1));
  });
});

import type {
  NftMovementPurpose,
  RedemptionPurpose,
  TokenMovementPurpose,
  TransactionIntended,
  TransactionPurpose,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { chainTransaction } from './chain-transaction.decider';
import { restoringIdOf, transactionIdOf } from './chain-transaction.state';
import { AT, chain, intend, terms } from './chain-transaction.testing';
import { served, waitedFor } from './transaction-intent.domain';

const ADDRESS = `0x${'cd'.repeat(20)}`;
const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const id = derivedId('movement', 'one');
const redemption: RedemptionPurpose = {
  ...{ kind: 'redemption', id, orderId: 'order-1', accountId: 'account-1', asset: 'eth-base/wbrly' },
  ...{ amount: '2.500000000000000000', walletIds: ['wallet-1', 'wallet-2'], minBrl: '2.60' },
};
const burn: RedemptionPurpose = { ...redemption, asset: 'eth-base/brlv', minBrl: null };
const movement: TokenMovementPurpose = {
  ...{ kind: 'token-movement', id, owner: { kind: 'withdrawal', id: 'withdrawal-1' }, accountId: 'account-1' },
  ...{ asset: 'eth-base/usdc', amount: '7.500000', walletIds: ['wallet-1'], from: ADDRESS },
  ...{ to: CHECKSUMMED.toLowerCase(), receiver: { accountId: 'account-2', parentId: null, walletId: 'wallet-9' } },
};
const shares = { ...terms, asset: 'eth-base/wbrly', maxBrl: '13.00' } as const;
const nft: NftMovementPurpose = {
  ...{ kind: 'nft-movement', id, accountId: 'account-1', certificateId: derivedId('certificate', 'one') },
  ...{ walletId: 'wallet-1', from: ADDRESS, to: CHECKSUMMED.toLowerCase() },
};

const intending = (purpose: object) => intend({ maxBrl: undefined, ...purpose });
const intended = (purpose: object): TransactionIntended[] =>
  chainTransaction
    .decide(intending(purpose), chainTransaction.initial)
    .flatMap((event) => (event.type === 'TransactionIntended' ? [event] : []));
const again = (first: TransactionPurpose, second: object) =>
  scenario(chainTransaction)
    .given(...intended(first))
    .when(intending(second));
const refused = (purpose: object) => scenario(chainTransaction).given().when(intending(purpose)).refusal();

describe('the purpose of a transaction', () => {
  it.each([
    ['a redemption of shares', redemption, { amount: '2.5' }],
    ['a redemption', burn, { amount: '2.5' }],
    ['a movement', movement, { amount: '7.5', to: CHECKSUMMED }],
    ['a mint of shares', shares, { amount: '12.5' }],
    ['a movement of a certificate', nft, { to: CHECKSUMMED }],
  ])('is recorded once, in canonical form: %s', (_, purpose: TransactionPurpose, otherForm) => {
    const [event, ...others] = intended({ ...purpose, ...otherForm });
    expect([event?.data, others]).toMatchObject([{ transactionId: transactionIdOf(purpose), chain, purpose }, []]);
    again(purpose, { ...purpose, ...otherForm }).then();
  });

  it.each([
    [shares, { maxBrl: '14.00' }, 'mint-already-requested'],
    [redemption, { minBrl: '2.00' }, 'movement-already-requested'],
    [movement, { to: ADDRESS }, 'movement-already-requested'],
    [movement, { receiver: null }, 'movement-already-requested'],
    [nft, { to: ADDRESS }, 'movement-already-requested'],
  ] as const)('is never changed: %j with %j', (purpose, change, code) => {
    expect(again(purpose, { ...purpose, ...change }).refusal()).toMatchObject({ code });
  });

  it.each([
    [burn, { id: 'no-uuid' }, 'invalid-format', 'settlement-id'],
    [burn, { asset: 'eth-base/usdc' }, 'asset-not-supported', 'asset'],
    [burn, { asset: 'eth-base/brly' }, 'asset-not-supported', 'asset'],
    [burn, { walletIds: [] }, 'wallet-not-found', 'wallet'],
    [burn, { amount: '0' }, 'amount-below-minimum', 'amount'],
    [burn, { asset: 'tempo/brlv', amount: '1.0000001' }, 'amount-scale-exceeded', 'amount'],
    [redemption, { minBrl: null }, 'asset-not-supported', 'asset'],
    [movement, { id: 'no-uuid' }, 'invalid-format', 'movement-id'],
    [movement, { asset: 'fiat/brl' }, 'asset-not-supported', 'asset'],
    [movement, { walletIds: [] }, 'wallet-not-found', 'source-wallet-id'],
    [movement, { amount: '0' }, 'amount-below-minimum', 'amount'],
    [movement, { amount: '7.5000001' }, 'amount-scale-exceeded', 'amount'],
    [movement, { to: 'unknown' }, 'invalid-address', 'destination'],
    [terms, { asset: 'fiat/brl' }, 'asset-not-supported', 'asset'],
    [terms, { asset: 'eth-base/usdc' }, 'asset-not-supported', 'asset'],
  ] as const)('is refused if it cannot be executed: %j with %j', (purpose, change, code, path) => {
    expect(refused({ ...purpose, ...change })).toMatchObject({ code, violations: [{ path }] });
  });

  it('is reported at the end: to an order without its terms, to the owner of a movement in full', () => {
    const order = { id, orderId: 'order-1', accountId: 'account-1' };
    expect(served(redemption)).toEqual({ kind: 'redemption', ...order });
    expect(served({ ...shares, ...order })).toEqual({ kind: 'mint', ...order });
    for (const purpose of [movement, nft]) expect(served(purpose)).toEqual(purpose);
  });

  it('is reported with the hash to the owners of movements, unless the transaction restores another', () => {
    const about = { transactionId: 'transaction-1', chain, from: ADDRESS, intendedAt: AT } as const;
    for (const purpose of [movement, nft]) {
      expect(waitedFor({ ...about, purpose })).toEqual({ purpose });
      expect(waitedFor({ ...about, purpose, restores: 'transaction-0' })).toEqual({});
    }
    for (const purpose of [redemption, shares]) expect(waitedFor({ ...about, purpose })).toEqual({});
  });
});

// A release that derived another id would make a change on the chain again.
it('the ids of transactions are the same in every release', () => {
  const transactionId = transactionIdOf({ kind: 'mint', id: '0190a5e0-7c3b-7a1e-9f00-000000000001' });
  expect([transactionId, restoringIdOf(transactionId)]).toEqual([
    '0190a5e0-7c3b-850e-96e9-c6e37d361846',
    '0190a5e0-7c3b-8227-a2e4-5e40c215311f',
  ]);
});

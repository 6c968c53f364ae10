import type { MintPurpose } from '@ponte/contracts';
import { TransactionIntended, TransactionLost, TransactionRestored, TransactionSigned } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { ChainTransactionCommand } from '../transactions/chain-transaction.state';
import { chainTransaction } from '../transactions/chain-transaction.decider';
import { restoringIdOf, transactionIdOf } from '../transactions/chain-transaction.state';

const AT = '2026-03-01T12:00:00.000Z';
const FROM = `0x${'f0'.repeat(20)}`;
const chain = 'eth-base' as const;
const about = { accountId: 'a', asset: 'eth-base/brlv', amount: '1.000000000000000000' } as const;
const purpose: MintPurpose = {
  kind: 'mint',
  id: derivedId('mint', 'lost'),
  orderId: 'o',
  ...about,
  to: `0x${'ab'.repeat(20)}`,
};
const lost = transactionIdOf(purpose);
const transactionId = restoringIdOf(lost);
const signed = { nonce: 7, raw: '0x02', txHash: '0xa', maxFeePerGas: '2', maxPriorityFeePerGas: '1' };
const intended = new TransactionIntended({
  transactionId,
  chain,
  from: FROM,
  purpose,
  intendedAt: AT,
  restores: lost,
});
const bytes = new TransactionSigned({ transactionId, chain, from: FROM, ...signed });
const mined = { txHash: '0xa', blockNumber: '9', blockHash: '0xb', minedAt: AT };
const lostFor = (reason: string) => new TransactionLost({ transactionId, chain, purpose, txHash: '0xa', reason });

describe('a transaction that restores a lost one', () => {
  it('is intended once, with its own id', () => {
    const intend = {
      kind: 'intend',
      purpose,
      intent: { chain, from: FROM, intendedAt: AT },
      restores: lost,
    } as const;
    scenario(chainTransaction).given().when(intend).then(intended);
    scenario(chainTransaction).given(intended).when(intend).then();
    expect(transactionId).not.toBe(lost);
  });

  it('is restored when it is mined, or when another transaction has had the effect', () => {
    const confirm = { kind: 'confirm', mined, final: true, at: AT } as const;
    const restored = { transactionId, chain, purpose, ...mined, restoredAt: AT, from: FROM };
    scenario(chainTransaction)
      .given(intended, bytes)
      .when(confirm)
      .then(new TransactionRestored({ ...restored, nonce: 7, final: true }));
    scenario(chainTransaction)
      .given(intended)
      .when(confirm)
      .then(new TransactionRestored({ ...restored, nonce: null, final: true }));
  });

  it.each<[string, ChainTransactionCommand, string]>([
    ['it was reverted', { kind: 'revert', reason: 'Paused' }, 'Paused'],
    ['another transaction used its nonce', { kind: 'supersede' }, 'superseded'],
  ])('is lost, so that no money is returned, when %s', (_, command, reason) => {
    scenario(chainTransaction).given(intended, bytes).when(command).then(lostFor(reason));
    scenario(chainTransaction).given(intended, bytes, lostFor(reason)).when(command).then();
  });

  it('is never given up, because the customer has already paid', () => {
    scenario(chainTransaction)
      .given(intended)
      .when({ kind: 'give-up', reason: 'liquidity-unavailable', at: AT })
      .then();
  });

  it('does not report its hash to the owner of a movement, which has completed before', () => {
    const movement = {
      kind: 'token-movement',
      ...about,
      id: purpose.id,
      owner: { kind: 'transfer', id: purpose.id },
      walletIds: ['w'],
      from: purpose.to,
      to: FROM,
      receiver: null,
    } as const;
    const [event] = scenario(chainTransaction)
      .given(new TransactionIntended({ ...intended.data, purpose: movement }))
      .when({ kind: 'sign', signed })
      .events();
    expect(event?.data).not.toHaveProperty('purpose');
  });

  it('does not change how other transactions end', () => {
    const { restores: _, ...usual } = intended.data;
    const [event] = scenario(chainTransaction)
      .given(new TransactionIntended(usual), bytes)
      .when({ kind: 'confirm', mined, final: true, at: AT })
      .events();
    expect(event?.type).toBe('TransactionConfirmed');
  });
});

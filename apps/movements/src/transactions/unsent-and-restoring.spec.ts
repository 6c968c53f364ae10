import type { ChainTransactionEvent } from '@ponte/contracts';
import {
  ReorgedAfterCompletion,
  TransactionConfirmed,
  TransactionFeeRaised,
  TransactionFunded,
  TransactionGivenUp,
  TransactionIntended,
  TransactionLost,
  TransactionRefused,
  TransactionRestored,
  TransactionSigned,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { chainTransaction } from './chain-transaction.decider';
import { restoringIdOf, sentIn } from './chain-transaction.state';
import {
  AT,
  accountId,
  bytes,
  chain,
  confirmed,
  intend,
  intended,
  mined,
  mintId,
  orderId,
  signed,
  terms,
  transactionId,
} from './chain-transaction.testing';

const given = (...past: ChainTransactionEvent[]) => scenario(chainTransaction).given(...past);
const funded = new TransactionFunded({ transactionId, chain, fundedAt: AT });
const fund = { kind: 'fund', at: AT } as const;
const givingUp = (reason: 'liquidity-unavailable' | 'compliance') => ({ kind: 'give-up', reason, at: AT }) as const;
const givenUp = (reason: 'liquidity-unavailable' | 'compliance') =>
  new TransactionGivenUp({
    transactionId,
    chain,
    purpose: { kind: 'mint', id: mintId, orderId, accountId },
    reason,
    givenUpAt: AT,
  });

describe('a transaction that is not signed', () => {
  it('is funded once, and not after it was signed or given up', () => {
    given(intended).when(fund).then(funded);
    for (const past of [[funded], [signed], [givenUp('compliance')]])
      given(intended, ...past)
        .when(fund)
        .then();
  });

  it('is given up once, and not after it was signed', () => {
    for (const reason of ['liquidity-unavailable', 'compliance'] as const) {
      given(intended).when(givingUp(reason)).then(givenUp(reason));
      for (const past of [[givenUp(reason)], [signed]])
        given(intended, ...past)
          .when(givingUp(reason))
          .then();
    }
    given(intended, givenUp('compliance')).when({ kind: 'sign', signed: bytes }).then();
  });

  it('is paid if the treasury has set its funds aside, unless compliance forbids it', () => {
    given(intended, funded).when(givingUp('liquidity-unavailable')).then();
    given(intended, funded).when(givingUp('compliance')).then(givenUp('compliance'));
    given(intended, funded).when({ kind: 'sign', signed: bytes }).then(signed);
  });
});

describe('a transaction whose movement was refused', () => {
  const about = { transactionId, chain, reason: 'account-not-active' } as const;
  const refuse = { kind: 'refuse', ...about, at: AT } as const;
  const refused = new TransactionRefused({ ...about, refusedAt: AT });

  it('is given up as soon as it is intended, and never signed', () => {
    given().when(refuse).then(refused);
    given(refused).when(refuse).then();
    const end = new TransactionGivenUp({ ...givenUp('compliance').data, reason: 'account-not-active' });
    given(refused).when(intend()).then(intended, end);
    given(refused, intended, end).when(intend()).then();
    given(refused, intended, end).when({ kind: 'sign', signed: bytes }).then();
  });

  it('cannot be refused once it is intended, whatever happened to it since', () => {
    for (const past of [[], [signed], [signed, confirmed], [givenUp('compliance')]])
      given(intended, ...past)
        .when(refuse)
        .then();
  });
});

describe('a transaction whose key will never be available again', () => {
  const statement = { actor: 'ana', reason: 'burned' } as const;
  const keyless = (lostTxHash: string | null = null) =>
    ({ kind: 'give-up-keyless', statement, lostTxHash, at: AT }) as const;
  const withStatement = new TransactionGivenUp({
    transactionId,
    chain,
    purpose: { kind: 'mint', id: mintId, orderId, accountId },
    reason: 'key-unavailable',
    statement,
    givenUpAt: AT,
  });

  it('is given up once while it is unsigned, funded or not, and never signed afterwards', () => {
    given(intended).when(keyless()).then(withStatement);
    given(intended, funded).when(keyless()).then(withStatement);
    for (const past of [[withStatement], [givenUp('compliance')], [signed], [signed, confirmed]])
      given(intended, ...past)
        .when(keyless())
        .then();
    given(intended, withStatement).when({ kind: 'sign', signed: bytes }).then();
  });

  it('is lost when it restores a lost one, so that it can be restored again, and nothing is returned', () => {
    const restores = transactionId;
    const about = { transactionId: restoringIdOf(restores), chain, purpose: terms } as const;
    const restoring = new TransactionIntended({ ...about, from: '0xf', intendedAt: AT, restores });
    const lost = new TransactionLost({ ...about, txHash: '0xa', reason: 'key-unavailable', statement });
    given(restoring).when(keyless('0xa')).then(lost);
    given(restoring).when(keyless()).then();
    given(restoring, lost).when(keyless('0xa')).then();
    given(restoring, lost).when({ kind: 'sign', signed: bytes }).then();
  });
});

describe('a transaction that restores a lost one', () => {
  const restores = transactionId;
  const id = restoringIdOf(restores);
  const about = { transactionId: id, chain, purpose: terms } as const;
  const restoring = new TransactionIntended({
    transactionId: id,
    chain,
    from: '0xf',
    purpose: terms,
    intendedAt: AT,
    restores,
  });
  const sent = new TransactionSigned({ transactionId: id, chain, from: '0xf', ...bytes });
  const lost = (reason: string) => new TransactionLost({ ...about, txHash: '0xa', reason });

  it('has its own id', () => {
    given()
      .when({ ...intend(), restores })
      .then(restoring);
    expect(id).not.toBe(transactionId);
  });

  it('is never given up, because the customer has paid', () => {
    for (const reason of ['liquidity-unavailable', 'compliance'] as const)
      given(restoring).when(givingUp(reason)).then();
  });

  it('restores the effect when it is mined', () => {
    given(restoring, sent)
      .when({ kind: 'confirm', mined, final: true, at: AT })
      .then(new TransactionRestored({ ...about, ...mined, restoredAt: AT, from: '0xf', nonce: 3, final: true }));
  });

  it('is lost if it fails, once, and never reported as failed', () => {
    const [revert, supersede] = [{ kind: 'revert', reason: 'why' } as const, { kind: 'supersede' } as const];
    given(restoring, sent).when(revert).then(lost('why'));
    given(restoring, sent).when(supersede).then(lost('superseded'));
    for (const again of [revert, supersede]) given(restoring, sent, lost('why')).when(again).then();
    expect(() => given(restoring).when(revert).events()).toThrow('cannot change');
    expect(() => given(restoring).when(supersede).events()).toThrow('cannot change');
  });
});

describe('a transaction that a reorg removed', () => {
  const { txHash, blockNumber, blockHash } = mined;
  const place = { txHash, blockNumber, blockHash };
  const about = { transactionId, chain, purpose: terms, from: '0xf', nonce: 3 } as const;
  const reorged = new ReorgedAfterCompletion({ ...about, ...place, detectedAt: AT });

  it('can get higher fees, and is found by any of its hashes', () => {
    const more = { nonce: 3, raw: '0x02cc', txHash: '0xc', maxFeePerGas: '34', maxPriorityFeePerGas: '3' };
    const raised = new TransactionFeeRaised({ transactionId, chain, from: '0xf', ...more, replaces: '0xa' });
    const past = [intended, signed, confirmed, reorged];
    given(...past)
      .when({ kind: 'raise-fee', signed: more, replaces: '0xa' })
      .then(raised);
    const state = given(...past, raised).state();
    expect(state).toMatchObject({ status: 'reorged', signed: more, reorgs: 1 });
    expect(sentIn(state)?.attempts).toEqual([bytes, more]);
  });

  it('is not sent again if another transaction had its effect before it was signed', () => {
    const foreign = new TransactionConfirmed({ ...confirmed.data, nonce: null });
    given(intended, foreign).when({ kind: 'reorg', blockHash, at: AT }).then();
  });
});

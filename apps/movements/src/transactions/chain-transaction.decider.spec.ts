import {
  ReorgedAfterCompletion,
  TransactionConfirmed,
  TransactionFeeRaised,
  TransactionLost,
  TransactionRestored,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { chainTransaction } from './chain-transaction.decider';
import { chainTransactionMachine, transferStateOf } from './chain-transaction.state';
import {
  AT,
  terms,
  chain,
  transactionId,
  intended,
  bytes,
  signed,
  mined,
  confirmed,
  reverted,
  superseded,
  intend,
} from './chain-transaction.testing';

const confirm = { kind: 'confirm', mined, final: false, at: AT } as const;

describe('a chain transaction', () => {
  it('is intended, signed and confirmed; repeating a step changes nothing', () => {
    const past = [intended, signed, confirmed];
    const steps = [intend(), { kind: 'sign', signed: bytes }, confirm] as const;
    for (const [at, step] of steps.entries()) {
      scenario(chainTransaction)
        .given(...past.slice(0, at))
        .when(step)
        .then(...past.slice(at, at + 1));
      for (let later = at + 1; later <= past.length; later += 1)
        scenario(chainTransaction)
          .given(...past.slice(0, later))
          .when(step)
          .then();
    }
  });

  it('keeps the first bytes when another process signs again, so an intent never has two nonces', () => {
    scenario(chainTransaction)
      .given(intended, signed)
      .when({ kind: 'sign', signed: { ...bytes, nonce: 4, raw: '0x02bb', txHash: '0xc' } })
      .then();
    expect(scenario(chainTransaction).given(intended, signed).state()).toMatchObject({
      status: 'signed',
      signed: bytes,
    });
  });

  describe('whose fees were raised', () => {
    const more = { nonce: 3, raw: '0x02cc', txHash: '0xc', maxFeePerGas: '34', maxPriorityFeePerGas: '3' };
    const raised = new TransactionFeeRaised({ transactionId, chain, from: '0xf', ...more, replaces: '0xa' });
    const raise = { kind: 'raise-fee', signed: more, replaces: '0xa' } as const;

    it('keeps every hash and its nonce, and only one of two concurrent raises takes effect', () => {
      scenario(chainTransaction).given(intended, signed).when(raise).then(raised);
      expect(scenario(chainTransaction).given(intended, signed, raised).state()).toMatchObject({
        status: 'signed',
        signed: more,
        attempts: [bytes, more],
      });
      scenario(chainTransaction)
        .given(intended, signed, raised)
        .when({ ...raise, signed: { ...more, txHash: '0xd' } })
        .then();
      scenario(chainTransaction).given(intended, signed, confirmed).when(raise).then();
      expect(() =>
        scenario(chainTransaction)
          .given(intended, signed)
          .when({ ...raise, signed: { ...more, nonce: 4 } })
          .events(),
      ).toThrow('for the nonce');
    });

    it.each(['0xa', '0xc'])('is completed by whichever bytes are mined (%s)', (txHash) => {
      const minedTransaction = { ...mined, txHash };
      scenario(chainTransaction)
        .given(intended, signed, raised)
        .when({ ...confirm, mined: minedTransaction })
        .then(new TransactionConfirmed({ ...confirmed.data, txHash }));
    });
  });

  describe('that a reorg removed after its completion', () => {
    const { txHash, blockNumber, blockHash, minedAt } = mined;
    const reorged = new ReorgedAfterCompletion({
      transactionId,
      chain,
      purpose: terms,
      from: '0xf',
      nonce: 3,
      txHash,
      blockNumber,
      blockHash,
      detectedAt: AT,
    });
    const past = [intended, signed, confirmed, reorged];
    const about = { transactionId, chain, purpose: terms } as const;
    const restored = new TransactionRestored({
      ...about,
      txHash,
      blockNumber,
      blockHash,
      minedAt,
      restoredAt: AT,
      from: '0xf',
      nonce: 3,
      final: false,
    });

    it('records the reorg once, and only for the block in which it was confirmed', () => {
      const reorg = { kind: 'reorg', blockHash, at: AT } as const;
      scenario(chainTransaction).given(intended, signed, confirmed).when(reorg).then(reorged);
      scenario(chainTransaction)
        .given(intended, signed, confirmed)
        .when({ ...reorg, blockHash: '0xother' })
        .then();
      scenario(chainTransaction)
        .given(...past)
        .when(reorg)
        .then();
      scenario(chainTransaction).given(intended, signed).when(reorg).then();
      expect(
        scenario(chainTransaction)
          .given(...past)
          .state(),
      ).toMatchObject({ status: 'reorged', signed: bytes, reorgs: 1 });
    });

    it('is restored when it is mined again, and can be removed again', () => {
      scenario(chainTransaction)
        .given(...past)
        .when(confirm)
        .then(restored);
      expect(
        scenario(chainTransaction)
          .given(...past, restored, reorged)
          .state(),
      ).toMatchObject({ status: 'reorged', reorgs: 2 });
    });

    it('is lost by a revert or another transaction, and is never rolled back', () => {
      scenario(chainTransaction)
        .given(...past)
        .when({ kind: 'revert', reason: 'why' })
        .then(new TransactionLost({ ...about, txHash, reason: 'why' }));
      scenario(chainTransaction)
        .given(...past)
        .when({ kind: 'supersede' })
        .then(new TransactionLost({ ...about, txHash, reason: 'superseded' }));
      const state = scenario(chainTransaction)
        .given(...past)
        .state();
      expect(state.status === 'absent' ? null : transferStateOf(state)).toBe('completed');
    });
  });

  it('ends as the chain reports, once, and only from the states that allow it', () => {
    scenario(chainTransaction).given(intended, signed).when({ kind: 'revert', reason: 'why' }).then(reverted);
    scenario(chainTransaction).given(intended, signed).when({ kind: 'supersede' }).then(superseded);
    scenario(chainTransaction)
      .given(intended)
      .when(confirm)
      .then(new TransactionConfirmed({ ...confirmed.data, nonce: null }));
    expect(() => scenario(chainTransaction).given().when(confirm).events()).toThrow('never intended');
    expect(() => scenario(chainTransaction).given(intended).when({ kind: 'revert', reason: 'why' }).events()).toThrow(
      'cannot change',
    );
    expect(() =>
      scenario(chainTransaction).given(intended, signed, confirmed).when({ kind: 'revert', reason: 'why' }).events(),
    ).toThrow('cannot change');
    expect(() => scenario(chainTransaction).given(intended, signed, reverted).when(confirm).events()).toThrow(
      'cannot change',
    );
    scenario(chainTransaction).given(intended, signed, superseded).when({ kind: 'supersede' }).then();
    expect(chainTransactionMachine.superseded).toEqual([]);
  });
});

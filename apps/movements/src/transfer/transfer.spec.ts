import type { TransferEvent } from '@ponte/contracts';
import {
  TransferAbandoned,
  TransferCompleted,
  TransferCreated,
  TransferFailed,
  TransferPending,
  TransferSendingStarted,
  transferMachine,
} from '@ponte/contracts';
import { fold, scenario } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { TransferTerms } from './transfer.decider';
import { holdIdOf, transfer, transferRecord } from './transfer.decider';
import { FAILURES, HoldAbandoned, failureOfRevert } from './transfer.errors';
import { requestViolations } from './transfer.domain';

const AT = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-01T12:20:00.000Z';
const transferId = derivedId('transfer', 'one');
const published = {
  transferId,
  accountId: 'a',
  createdBy: 'p',
  createdByApiKey: 'ak',
  asset: 'eth-base/brlv',
  amount: '1.000000000000000000',
  sourceAddress: '0x1',
  targetAddress: '0x2',
} as const;
const terms: TransferTerms = {
  ...published,
  parentId: 'p',
  sourceWalletId: 'w',
  receiver: null,
  bodyHash: 'h',
  externalId: null,
  holdId: holdIdOf(transferId, 0),
  createdAt: AT,
};
const created = new TransferCreated(terms);
const started = new TransferSendingStarted({ transferId, accountId: 'a', startedAt: AT });
const pending = new TransferPending({ ...published, txHash: '0xa', pendingAt: AT });
const completed = new TransferCompleted({ ...published, txHash: '0xa', completedAt: AT });
const failed = (txHash: string | null, failure: (typeof FAILURES)[keyof typeof FAILURES] = FAILURES.reverted) =>
  new TransferFailed({ ...published, txHash, failure, failedAt: AT });
const abandoned = new TransferAbandoned({ transferId, accountId: 'a', holdId: terms.holdId, abandonedAt: AT });
const create = { kind: 'create', terms } as const;
const fail = (txHash: string | null, ended = txHash !== null) =>
  ({ kind: 'fail', ended, txHash, failure: FAILURES.reverted, at: AT }) as const;
const complete = { kind: 'complete', txHash: '0xa', at: AT } as const;
const given = (...past: TransferEvent[]) => scenario(transfer).given(...past);

describe('a transfer', () => {
  it('goes from created to pending to its end, and repeats no step', () => {
    given().when(create).then(created);
    given(created).when({ kind: 'start-sending', at: AT }).then(started);
    given(created, started).when({ kind: 'note-pending', txHash: '0xa', replaces: null, at: AT }).then(pending);
    given(created, started, pending).when(complete).then(completed);
    given(created, started, pending).when(fail('0xa')).then(failed('0xa'));
    for (const again of [
      create,
      { kind: 'start-sending', at: AT },
      { kind: 'note-pending', txHash: '0xb', replaces: null, at: AT },
      complete,
    ] as const) {
      given(created, started, pending, completed).when(again).then();
    }
    expect(Object.keys(transferMachine)).toEqual(['created', 'pending', 'completed', 'failed']);
  });

  it('keeps when it was signed while its fee is raised', () => {
    const raised = new TransferPending({ ...published, txHash: '0xb', pendingAt: LATER });
    const recordAfter = (...past: TransferEvent[]) => transferRecord(fold(transfer, transfer.initial, past));
    const signed = { signedAt: AT, stateUpdatedAt: LATER, txHash: '0xb' };
    expect(recordAfter(created, started, pending, raised)).toMatchObject(signed);
    expect(recordAfter(created, started, pending, completed)).not.toHaveProperty('signedAt');
  });

  it('accepts its end before its hash', () => {
    given(created, started).when(complete).then(completed);
    given(created, started).when(fail('0xa')).then(failed('0xa'));
  });

  it('fails only by its transaction once it may be on the chain', () => {
    given(created).when(fail(null)).then(failed(null));
    given(created, started).when(fail(null)).then();
    // Its transaction was given up before it was signed.
    given(created, started).when(fail(null, true)).then(failed(null));
    given(created, started, pending).when(fail(null)).then();
    expect(() => given(created, started, pending, completed).when(fail('0xa')).events()).toThrow('cannot change');
    expect(() => given(created, started, pending, failed('0xa')).when(complete).events()).toThrow('cannot change');
    expect(() => given(created).when(complete).events()).toThrow('cannot change');
  });

  it('is created once for its key and body, and never with an abandoned hold', () => {
    given(created).when(create).then();
    for (const change of [{ bodyHash: 'other' }, { createdBy: 'stranger' }]) {
      expect(
        given(created)
          .when({ kind: 'create', terms: { ...terms, ...change } })
          .refusal(),
      ).toMatchObject({ code: 'idempotency-key-reused' });
    }
    const abandon = { kind: 'abandon', transferId, accountId: 'a', holdId: terms.holdId, at: AT } as const;
    given().when(abandon).then(abandoned);
    given(abandoned).when(abandon).then();
    given(created).when(abandon).then();
    expect(() => given(abandoned).when(create).events()).toThrow(HoldAbandoned);
    const second = { ...terms, holdId: holdIdOf(transferId, 1) };
    given(abandoned).when({ kind: 'create', terms: second }).then(new TransferCreated(second));
    expect(transfer.creation).toBe(TransferCreated);
  });

  it('is shown with its hash and its failure', () => {
    expect(transferRecord(given().state())).toBeNull();
    expect(transferRecord(given(created, started, pending).state())).toMatchObject({
      id: transferId,
      state: 'pending',
      txHash: '0xa',
      failure: null,
    });
    expect(transferRecord(given(created, started, failed('0xa', FAILURES.balance)).state())).toMatchObject({
      state: 'failed',
      failure: { code: 'insufficient-balance' },
    });
    expect([failureOfRevert('WalletsHoldTooLittle'), failureOfRevert('reverted')]).toEqual([
      FAILURES.balance,
      FAILURES.reverted,
    ]);
  });

  it('cannot go to one of our contracts, which could not return the tokens', () => {
    const address = `0x${'ab'.repeat(20)}`;
    const payload = {
      transferId,
      callerAccountId: 'p',
      accountId: 'a',
      sourceAddress: `0x${'cd'.repeat(20)}`,
      targetAddress: address,
      asset: 'eth-base/brlv',
      amount: '1',
      externalId: null,
      bodyHash: null,
    } as const;
    const limits = { minimums: {}, isWithin: () => true };
    expect(requestViolations(payload, null, limits)).toEqual([]);
    expect(requestViolations(payload, 'is a contract', limits)).toMatchObject([{ code: 'invalid-address' }]);
  });
});

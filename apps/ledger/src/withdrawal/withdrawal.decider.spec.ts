import {
  ClientReferenceReleased,
  ClientReferenceReserved,
  WithdrawalAbandoned,
  WithdrawalBroadcast,
  WithdrawalCompleted,
  WithdrawalCreated,
  WithdrawalPostponed,
  WithdrawalProcessingStarted,
  WithdrawalRolledBack,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { clientReference, clientReferenceId } from './client-reference.decider';
import type { WithdrawalTerms } from './withdrawal.state';
import { withdrawal } from './withdrawal.decider';
import { HoldAbandoned, paymentIdOf, withdrawalIdOf } from './withdrawal.state';
import { failureOf } from './withdrawal.failures';

const NOW = '2027-03-01T12:00:00.000Z';
const LATER = '2027-03-02T09:30:00.000Z';
const withdrawalId = derivedId('test', 'withdrawal');
const ids = { withdrawalId, accountId: 'a1' };
const by = { createdBy: 'p1', createdByApiKey: 'ak_test_1' };
const target = { method: 'token', destinationWalletAddress: '0xabc' } as const;
const TERMS: WithdrawalTerms = {
  ...ids,
  ...by,
  parentId: 'p1',
  keyHash: null,
  bodyHash: null,
  externalId: null,
  asset: 'eth-base/usdc',
  amount: '1.500000',
  holdId: 'h1',
  target,
  scheduledFor: null,
  createdAt: NOW,
};
const createdOne = new WithdrawalCreated(TERMS);
const started = new WithdrawalProcessingStarted({
  ...ids,
  method: 'token',
  asset: TERMS.asset,
  amount: TERMS.amount,
  holdId: 'h1',
  destinationWalletAddress: '0xabc',
  startedAt: NOW,
});
const completed = new WithdrawalCompleted({
  ...ids,
  ...by,
  asset: TERMS.asset,
  amount: TERMS.amount,
  target,
  endToEndId: null,
  txHash: '0x1',
  processedAt: LATER,
});
const failure = failureOf('bank-refused');
const rolledBack = (previousState: 'created' | 'processing') =>
  new WithdrawalRolledBack({
    ...ids,
    ...by,
    asset: TERMS.asset,
    amount: TERMS.amount,
    method: 'token',
    holdId: 'h1',
    previousState,
    failure,
    rolledBackAt: LATER,
  });
const complete = { kind: 'complete', now: LATER, endToEndId: null, txHash: '0x1' } as const;
const given = scenario(withdrawal).given;

describe('A withdrawal', () => {
  it('is created, processed and completed', () => {
    given().when({ kind: 'create', terms: TERMS }).then(createdOne);
    given(createdOne).when({ kind: 'start', now: NOW }).then(started);
    given(createdOne, started).when(complete).then(completed);
  });

  it('does nothing twice', () => {
    given(createdOne)
      .when({ kind: 'create', terms: { ...TERMS, amount: '9.000000' } })
      .then();
    given(createdOne, started).when({ kind: 'start', now: LATER }).then();
    given(createdOne, started, completed).when(complete).then();
    given(createdOne, rolledBack('created')).when({ kind: 'start', now: LATER }).then();
  });

  it('is rolled back only from the state that the reason applies to', () => {
    given(createdOne).when({ kind: 'roll-back', from: 'created', failure, now: LATER }).then(rolledBack('created'));
    given(createdOne, started).when({ kind: 'roll-back', from: 'created', failure, now: LATER }).then();
    given(createdOne, started)
      .when({ kind: 'roll-back', from: 'processing', failure, now: LATER })
      .then(rolledBack('processing'));
    given(createdOne, started, completed).when({ kind: 'roll-back', from: 'processing', failure, now: LATER }).then();
  });

  it('cannot be completed before it was sent or after it was rolled back', () => {
    expect(() => given(createdOne).when(complete).events()).toThrow('cannot change from created to completed');
    expect(() => given(createdOne, started, rolledBack('processing')).when(complete).events()).toThrow(
      'cannot change from rolled-back to completed',
    );
  });

  it('can be postponed, and records its transactions', () => {
    given(createdOne)
      .when({ kind: 'postpone', until: LATER })
      .then(new WithdrawalPostponed({ ...ids, scheduledFor: LATER }));
    given(createdOne, started).when({ kind: 'postpone', until: LATER }).then();
    given(createdOne, started)
      .when({ kind: 'note-broadcast', txHash: '0x1', now: NOW })
      .then(new WithdrawalBroadcast({ ...ids, txHash: '0x1', broadcastAt: NOW }));
  });

  it('does not note a postponement or a transaction twice, or after it ended', () => {
    const postponed = new WithdrawalPostponed({ ...ids, scheduledFor: LATER });
    const broadcast = new WithdrawalBroadcast({ ...ids, txHash: '0x1', broadcastAt: NOW });
    const note = { kind: 'note-broadcast', txHash: '0x1', now: LATER } as const;
    given(createdOne, postponed).when({ kind: 'postpone', until: LATER }).then();
    given(createdOne, started, broadcast).when(note).then();
    for (const past of [[createdOne], [createdOne, started, completed]])
      given(...past)
        .when(note)
        .then();
  });

  it('names no wallet unless it sends tokens, and the order that it pays out if there is one', () => {
    const pix = { method: 'pix', pixKey: { kind: 'evp', sealed: 's' } } as unknown as WithdrawalTerms['target'];
    const paying = new WithdrawalCreated({ ...TERMS, asset: 'fiat/brl', amount: '1.50', target: pix, orderId: 'o1' });
    const [sent] = given(paying).when({ kind: 'start', now: NOW }).events();
    expect(sent?.data).toMatchObject({ method: 'pix', destinationWalletAddress: null, orderId: 'o1' });
    expect(started.data).not.toHaveProperty('orderId');
  });

  it('never uses a hold that was abandoned', () => {
    const abandoned = new WithdrawalAbandoned({ ...ids, holdId: 'h1' });
    given()
      .when({ kind: 'abandon', ...ids, holdId: 'h1' })
      .then(abandoned);
    given(createdOne)
      .when({ kind: 'abandon', ...ids, holdId: 'h1' })
      .then();
    expect(given(abandoned).when({ kind: 'create', terms: TERMS }).refusal()).toBeInstanceOf(HoldAbandoned);
    given(abandoned)
      .when({ kind: 'create', terms: { ...TERMS, holdId: 'h2' } })
      .then(new WithdrawalCreated({ ...TERMS, holdId: 'h2' }));
    expect(withdrawal.creation).toBe(WithdrawalCreated);
  });

  it('can be found by the id of its payment, and by no other id', () => {
    expect(withdrawalIdOf(paymentIdOf(withdrawalId))).toBe(withdrawalId);
    expect(withdrawalIdOf('E1234567820260131120000000000001')).toBeUndefined();
  });
});

describe("An account's external id of a withdrawal", () => {
  const [mine, other] = [
    { accountId: 'a1', withdrawalId: 'w1', holdId: 'h1' },
    { accountId: 'a1', withdrawalId: 'w2', holdId: 'h2' },
  ];
  const reserve = (claim: typeof mine, unused: string | null = null) =>
    ({ kind: 'reserve', ...claim, now: NOW, void: unused }) as const;
  const reserved = (claim: typeof mine) => new ClientReferenceReserved({ ...claim, reservedAt: NOW });
  const released = new ClientReferenceReleased(mine);
  const reference = scenario(clientReference).given;

  it('is reserved by one withdrawal, which may repeat the request', () => {
    reference().when(reserve(mine)).then(reserved(mine));
    reference(reserved(mine)).when(reserve(mine)).then();
    const again = { ...mine, holdId: 'h3' };
    reference(reserved(mine)).when(reserve(again)).then(reserved(again));
    const used = { code: 'external-id-already-used', violations: [{ path: 'external-id' }] };
    for (const unused of [null, 'h2'])
      expect(reference(reserved(mine)).when(reserve(other, unused)).refusal()).toMatchObject(used);
  });

  it('is free for another withdrawal once it is released, or its claim was abandoned', () => {
    reference(reserved(mine)).when(reserve(other, 'h1')).then(reserved(other));
    reference(reserved(mine))
      .when({ kind: 'release', ...mine })
      .then(released);
    reference(reserved(mine), released).when(reserve(other)).then(reserved(other));
  });

  it('is released only by the claim that has it', () => {
    const release = { kind: 'release', ...mine } as const;
    for (const past of [[], [reserved(other)], [reserved(mine), released]])
      reference(...past)
        .when(release)
        .then();
  });

  it('is separate for each account', () => {
    const id = clientReferenceId;
    expect(new Set([id('a1', 'x'), id('a1', 'x'), id('a2', 'x'), id('a1', 'y')]).size).toBe(3);
  });
});

import type { Recorded } from '@ponte/event-sourcing';
import { txidOf } from '@ponte/kernel';
import type { MovementEvidence } from './movement-faults';
import { movementFaultsOf } from './movement-faults';

const PARTNER = 'p1';
const WITHDRAWAL = '0b0e3c1e-7c1f-8d5a-9d53-2f6d1f0b7a01';
const TRANSFER = 't1';
const DEPOSIT = 'd1';

const recorded = (stream: string, type: string, data: object): Recorded =>
  ({ stream, type, position: `${type} of ${stream}`, data, meta: {} }) as unknown as Recorded;
const posting = (account: string, amount: string) => ({ account, asset: 'fiat/brl', amount });
const envelope = (resourceId: string, eventType: string, sequence: number) =>
  recorded(`outbox-${PARTNER}`, 'EnvelopePublished', {
    envelope: { eventId: `${resourceId} ${sequence}`, eventType, resourceId, sequence },
  });
const withdrawal = () => ({ withdrawalId: WITHDRAWAL, amount: '1.00', target: { method: 'pix' } });

/** A correct log with a deposit, a withdrawal from it and a token transfer. */
const LOG: readonly Recorded[] = [
  recorded('deposit-d1', 'DepositCreated', { depositId: DEPOSIT, endToEndId: 'e1' }),
  recorded('ledgerAccount-a1', 'DepositPosted', {
    postings: [posting('customer:a1', '5.00'), posting('house:settlement', '-5.00')],
  }),
  recorded('deposit-d1', 'DepositCredited', { depositId: DEPOSIT }),
  envelope(DEPOSIT, 'deposit-processed', 1),
  recorded('ledgerAccount-a1', 'HoldPlaced', { hold: { holdId: 'h1', asset: 'fiat/brl', amount: '1.00' } }),
  recorded('withdrawal-w', 'WithdrawalCreated', { withdrawalId: WITHDRAWAL }),
  envelope(WITHDRAWAL, 'withdraw-processing', 1),
  recorded('ledgerAccount-a1', 'WithdrawalPosted', {
    holdId: 'h1',
    postings: [posting('customer:a1', '-1.00'), posting('house:settlement', '1.00')],
  }),
  recorded('withdrawal-w', 'WithdrawalCompleted', withdrawal()),
  envelope(WITHDRAWAL, 'withdraw-completed', 2),
  recorded('transfer-t1', 'TransferCreated', { transferId: TRANSFER }),
  envelope(TRANSFER, 'token-transfer-pending', 1),
  recorded('transfer-t1', 'TransferCompleted', { transferId: TRANSFER }),
  envelope(TRANSFER, 'token-transfer-completed', 2),
];
const payment = { payment_id: txidOf(WITHDRAWAL), amount: '1.00', status: 'completed' };
const FINE: MovementEvidence = {
  log: LOG,
  movements: [
    { kind: 'brl-deposit', id: DEPOSIT },
    { kind: 'pix-withdrawal', id: WITHDRAWAL },
    { kind: 'token-transfer', id: TRANSFER },
  ],
  before: new Set(),
  bank: [payment],
  held: [{ account: 'a1', asset: 'eth-base/brlv', chain: '2', books: '2.000000000000000000' }],
  partnerId: PARTNER,
};
const without = (type: string): readonly Recorded[] => LOG.filter((one) => one.type !== type);
const beside = (...more: Recorded[]): readonly Recorded[] => [...LOG, ...more];

describe('the check of the movements of a chaos run finds', () => {
  it('no fault in correct evidence', () => expect(movementFaultsOf(FINE)).toEqual([]));

  it.each<[string, Partial<MovementEvidence>, RegExp]>([
    ['a lost transfer', { log: without('TransferCreated') }, /TransferCreated of token-transfer t1 is 0/],
    ['a transfer that did not end', { log: without('TransferCompleted') }, /TransferCompleted .* is 0 times/],
    [
      'a transfer that ended twice',
      { log: beside(recorded('transfer-t1', 'TransferCompleted', { transferId: TRANSFER })) },
      /is 2 times/,
    ],
    [
      'a transfer that is unknown to the callers',
      { log: beside(recorded('transfer-t2', 'TransferCreated', { transferId: 't2' })) },
      /t2, which is unknown to the callers/,
    ],
    [
      'one movement that answered two commands',
      { movements: [...FINE.movements, { kind: 'token-transfer', id: TRANSFER }] },
      /t1 was the answer to two commands/,
    ],
    [
      'one payment that became two deposits',
      { log: beside(recorded('deposit-d2', 'DepositCreated', { depositId: 'd2', endToEndId: 'e1' })) },
      /the payment e1 is 2 deposits/,
    ],
    ['a completed withdrawal that the bank did not pay', { bank: [] }, /is nothing at the bank/],
    ['another amount at the bank', { bank: [{ ...payment, amount: '2.00' }] }, /of 1.00 is 2.00 at the bank/],
    ['a payment without a withdrawal', { bank: [payment, { ...payment, payment_id: 'x' }] }, /the bank paid 1.00 as x/],
    [
      'books that differ from the chain',
      { held: [{ account: 'a1', asset: 'eth-base/brlv', chain: '3', books: '2.0' }] },
      /2.0 eth-base\/brlv by its books and 3 on the chain/,
    ],
    [
      'an account whose holds exceed its balance',
      {
        log: beside(
          recorded('ledgerAccount-a1', 'HoldPlaced', { hold: { holdId: 'h2', asset: 'fiat/brl', amount: '4.01' } }),
        ),
      },
      /customer:a1 fiat\/brl is -0.01/,
    ],
    [
      'a transition that was not published',
      { log: LOG.filter((one) => one !== LOG[11]) },
      /t1 was published as 2 token-transfer-completed/,
    ],
    [
      'an end that was not published',
      { log: LOG.filter((one) => one !== LOG[13]) },
      /t1 was published as 1 token-transfer-pending/,
    ],
  ])('%s', (_what, planted, reported) =>
    expect(movementFaultsOf({ ...FINE, ...planted }).join('\n')).toMatch(reported),
  );
});

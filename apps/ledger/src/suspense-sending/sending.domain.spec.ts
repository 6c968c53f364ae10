import { SUSPENSE_SENDING_EVENTS } from '@ponte/contracts';
import fc from 'fast-check';
import type { DepositCommand } from '../deposit/deposit.state';
import { depositIdOf } from '../deposit/deposit.state';
import { failedReturnOf } from '../suspense/failed-return.mapper';
import { inSuspense } from '../suspense/suspense.domain';
import { after, codeOf, decided, refusedReturn } from '../suspense/suspense.testing';
import { CheckedBooks } from '../testing/checked-books';
import { hasEnded, knowsMovement, sendingMovementId } from './sending.domain';
import {
  DESTINATION,
  ID,
  confirmSending,
  failed,
  namedSetAside,
  proposeSending,
  rejectSending,
  sent,
  setAside,
} from './sending.testing';

const shown = (...commands: DepositCommand[]) => failedReturnOf(inSuspense(after(...commands).state));
const PROPOSED = [...setAside(), proposeSending()];
const STARTED = [...PROPOSED, confirmSending()];
const SENT = [...STARTED, sent()];

describe('Tokens in suspense', () => {
  it('are sent to the address that two staff members named, and then leave suspense', () => {
    expect(shown(...PROPOSED)).toMatchObject({ status: 'proposed', sending: { proposal: 1, confirmedBy: null } });
    expect(decided(PROPOSED, confirmSending())).toMatchObject([
      {
        type: 'SuspenseSendingStarted',
        data: {
          ...{ movementId: sendingMovementId(ID, 1), accountId: 'closed', asset: 'eth-base/usdc', amount: '5.000000' },
          ...{ destination: DESTINATION, confirmedBy: 'second' },
        },
      },
    ]);
    expect(shown(...STARTED)).toMatchObject({ status: 'sending', settledAt: null });
    expect(decided(STARTED, sent())).toMatchObject([
      {
        type: 'SuspenseSent',
        data: {
          txHash: '0xc',
          postings: [
            { account: 'house:suspense', asset: 'eth-base/usdc', amount: '-5.000000' },
            { account: 'house:external', asset: 'eth-base/usdc', amount: '5.000000' },
          ],
        },
      },
    ]);
    expect(shown(...SENT)).toMatchObject({ status: 'settled', sending: { txHash: '0xc', confirmedBy: 'second' } });
    expect(shown(...SENT).sending).not.toHaveProperty('movementId');
  });

  it('go through clearing if another Ponte account receives them', () => {
    expect(decided(STARTED, sent(1, 'receiver'))).toMatchObject([
      { data: { postings: [{ account: 'house:suspense' }, { account: 'house:clearing', amount: '5.000000' }] } },
    ]);
  });

  it('are open again if nothing moved, and the next proposal makes another movement', () => {
    const again = [...STARTED, failed()];
    expect(shown(...again)).toMatchObject({ status: 'open', sending: null, sendingFailure: { code: 'reverted' } });
    const next = [...again, proposeSending('second'), confirmSending('first', 2)];
    expect(shown(...next)).toMatchObject({ status: 'sending', sending: { proposal: 2 }, sendingFailure: null });
    // What is delivered again about the first movement changes nothing.
    expect(decided(next, failed())).toEqual([]);
    expect(() => decided(next, sent())).toThrow('is not sent by movement');
    expect(shown(...next, sent(2))).toMatchObject({ status: 'settled' });
  });

  it('are sent once: repeated and late decisions change nothing', () => {
    expect(decided(PROPOSED, proposeSending())).toEqual([]);
    expect(codeOf(...PROPOSED, proposeSending('second'))).toBe('settlement-pending');
    expect(codeOf(...PROPOSED, confirmSending('first'))).toBe('second-member-required');
    expect(codeOf(...PROPOSED, rejectSending('first'))).toBe('second-member-required');
    expect(codeOf(...PROPOSED, confirmSending('second', 2))).toBe('settlement-not-pending');
    for (const started of [STARTED, SENT]) {
      expect(decided(started, confirmSending('third'))).toEqual([]);
      expect(codeOf(...started, rejectSending())).toBe(
        started === SENT ? 'payment-already-settled' : 'settlement-not-pending',
      );
    }
    expect(codeOf(...STARTED, proposeSending())).toBe('settlement-pending');
    expect(codeOf(...SENT, proposeSending())).toBe('payment-already-settled');
    for (const late of [sent(), failed()]) expect(decided(SENT, late)).toEqual([]);
  });

  it('stay in suspense when a proposal is rejected', () => {
    const rejected = [...PROPOSED, rejectSending()];
    expect(shown(...rejected)).toMatchObject({ status: 'open', sending: null });
    expect(decided(rejected, rejectSending())).toEqual([]);
    expect(codeOf(...rejected, confirmSending())).toBe('settlement-not-pending');
    expect(decided([...rejected, proposeSending('second')], rejectSending('third', 1))).toEqual([]);
  });

  it('are known to have ended only once their movement can move nothing more', () => {
    const ended = (commands: DepositCommand[], proposal = 1) => hasEnded(after(...commands).state, proposal);
    expect([[], setAside(), PROPOSED, STARTED].map((commands) => ended(commands))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([[...STARTED, failed()], SENT].map((commands) => ended(commands))).toEqual([true, true]);
    expect(ended([...STARTED, failed(), proposeSending()], 1)).toBe(true);
    expect(ended([...STARTED, failed(), proposeSending()], 2)).toBe(false);
    const knows = (commands: DepositCommand[]) => knowsMovement(after(...commands).state, sendingMovementId(ID, 1));
    expect([setAside(), PROPOSED, STARTED, [...STARTED, failed()], SENT].map(knows)).toEqual([
      ...[false, false, true, true, true],
    ]);
  });

  it('are no money at the bank, which is settled with a bank reference', () => {
    expect(codeOf(...refusedReturn('E1'), proposeSending())).toBe('method-asset-mismatch');
    expect(codeOf(proposeSending())).toBe('failed-return-not-found');
  });
});

const AMOUNTS = ['5.000000', '0.000001', '8000.000000'];
const staff = fc.constantFrom('first', 'second');
const proposal = fc.integer({ min: 1, max: 3 });
const decisionOf = (depositId: string) =>
  fc.oneof(
    staff.map((by) => proposeSending(by)),
    fc.tuple(staff, proposal).map(([by, number]) => confirmSending(by, number)),
    fc.tuple(staff, proposal).map(([by, number]) => rejectSending(by, number)),
    proposal.map((number) => failed(number, depositId)),
    fc.tuple(proposal, fc.constantFrom(null, 'receiver')).map(([number, to]) => sent(number, to, depositId)),
  );
const step = fc
  .nat(AMOUNTS.length - 1)
  .chain((id) => fc.array(decisionOf(depositIdOf(`T${id}`)), { maxLength: 6 }).map((commands) => ({ id, commands })));

it('Random decisions about tokens in suspense keep exactly the unsettled ones in suspense', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
      const books = new CheckedBooks();
      const act = (id: number, command: DepositCommand) => {
        let fault: string | null;
        try {
          fault = books.actOnDeposit(depositIdOf(`T${id}`), command);
        } catch (error) {
          // The event of a movement that is not sent is parked.
          if (!(error as Error).message.includes('is not sent by movement')) throw error;
          fault = null;
        }
        if (fault !== null) throw new Error(fault);
      };
      AMOUNTS.forEach((amount, id) => namedSetAside(`T${id}`, amount).forEach((command) => act(id, command)));
      for (const { id, commands } of steps) for (const command of commands) act(id, command);
      for (const type of books.seen.keys()) seen.add(type);
    }),
    { numRuns: 200 },
  );
  expect(SUSPENSE_SENDING_EVENTS.map(({ type }) => type).filter((type) => !seen.has(type))).toEqual([]);
});

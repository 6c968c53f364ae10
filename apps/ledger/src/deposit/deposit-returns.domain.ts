import type { DepositEvent, DepositReturnRequested, DepositVoidReason } from '@ponte/contracts';
import {
  DepositReturnBlocked,
  DepositReturnFailed,
  DepositReturnUnblocked,
  DepositReturned,
  DoubleReturnPosted,
} from '@ponte/contracts';
import { Money } from '@ponte/kernel';
import { balanced, doubleReturnPostings } from '../ledger-account/postings.domain';
import { postedToSuspense, takenFromSuspense } from '../suspense/suspense.domain';
import { voidedDeposit } from './deposit-ends.domain';
import type { Deposit, DepositCommand, DepositFacts, Refund } from './deposit.state';
import { MAX_RETURNS, attemptsOf, mayBeReturnedTwice, refundOf, returnIdOf } from './deposit.state';

type KnownDeposit = Exclude<Deposit, { status: 'none' }>;
type NoteReturn = Extract<DepositCommand, { kind: 'note-return' }>;
type BlockReturn = Extract<DepositCommand, { kind: 'block-return' | 'unblock-return' }>;
type RefundEvent =
  DepositReturnRequested | DepositReturnBlocked | DepositReturnUnblocked | DepositReturnFailed | DepositReturned;

export const dueRefund = (returnId: string, reason: DepositVoidReason, requestedAt: string): Refund => ({
  returnId,
  reason,
  requestedAt,
  attempt: 1,
  state: 'due',
});

/** The return is not blocked any longer: the reason has ended, or the return. */
const unblocked = ({ blockedAt, ...refund }: Refund, at: string): Refund =>
  blockedAt === undefined ? refund : { ...refund, unblockedAt: at };

/** Throws on an event that cannot follow the previous ones. */
export function evolveRefund(refund: Refund | null, event: RefundEvent): Refund {
  if (event.type === 'DepositReturnRequested') {
    const { returnId, reason, requestedAt } = event.data;
    return dueRefund(returnId, reason, requestedAt);
  }
  if (!refund) throw new Error('the stream of a deposit is damaged');
  switch (event.type) {
    case 'DepositReturnBlocked':
      return { ...refund, blockedAt: event.data.blockedAt };
    case 'DepositReturnUnblocked': {
      const { unblockedAt } = event.data;
      return { ...unblocked(refund, unblockedAt), attemptedFrom: unblockedAt };
    }
    case 'DepositReturnFailed': {
      const { nextReturnId, failedAt } = event.data;
      if (refund.takenBackAt) return { ...refund, notCarriedOut: true };
      return nextReturnId === null
        ? { ...unblocked(refund, failedAt), state: 'failed', failedAt }
        : { ...refund, returnId: nextReturnId, attempt: refund.attempt + 1, attemptedFrom: failedAt };
    }
    case 'DepositReturned': {
      const { returnId, takenBack: isTakenBack, returnedAt, bankReturnId } = event.data;
      return isTakenBack
        ? { ...unblocked(refund, returnedAt), state: 'done', takenBackAt: returnedAt }
        : {
            ...unblocked(refund, returnedAt),
            returnId,
            state: 'done',
            returnedAt,
            ...(bankReturnId === undefined ? {} : { bankReturnId }),
          };
    }
  }
}

/** The return that was due when the bank took the payment back. The payer has the money, so it is not sent again. */
export function takenBackRefund(refund: Refund | null, takenBackAt: string): Refund | null {
  if (refund?.state !== 'due') return null;
  return { ...unblocked(refund, takenBackAt), state: 'done', takenBackAt };
}

/** Only a return that is due can be blocked: one that the bank executed, or that ended, moves no more money. */
export function decideBlocking({ kind, now }: BlockReturn, state: Deposit): DepositEvent[] {
  const refund = refundOf(state);
  if (state.status === 'none' || refund?.state !== 'due') return [];
  const about = { depositId: state.facts.depositId, returnId: refund.returnId };
  const isBlocked = refund.blockedAt !== undefined;
  if (isBlocked === (kind === 'block-return')) return [];
  return [
    isBlocked
      ? new DepositReturnUnblocked({ ...about, unblockedAt: now })
      : new DepositReturnBlocked({ ...about, blockedAt: now }),
  ];
}

/**
 * The bank's result for a return. A return that was on its way while the bank took the payment back paid it twice. The
 * bank may have executed an earlier attempt that it had refused, or had not shown, before.
 */
export function notedReturn({ returnId, executed, bankReturnId, now }: NoteReturn, state: Deposit): DepositEvent[] {
  const refund = refundOf(state);
  if (state.status === 'none' || !refund) return [];
  const { depositId } = state.facts;
  const isKnown = refund.returnId === returnId || (executed && attemptsOf(depositId, refund).includes(returnId));
  if (!isKnown) return [];
  if (refund.takenBackAt && executed) return returnedTwice(state, { returnId, bankReturnId }, now);
  if (mayBeReturnedTwice(state))
    return [new DepositReturnFailed({ depositId, returnId, nextReturnId: null, failedAt: now })];
  if (refund.state !== 'due') return [];
  if (executed)
    return [new DepositReturned({ depositId, returnId, returnedAt: now, ...(bankReturnId && { bankReturnId }) })];
  const nextReturnId = refund.attempt < MAX_RETURNS ? returnIdOf(depositId, refund.attempt + 1) : null;
  const failed = new DepositReturnFailed({ depositId, returnId, nextReturnId, failedAt: now });
  return nextReturnId === null ? [failed, postedToSuspense(state.facts, 'return-refused', now)] : [failed];
}

/**
 * The bank took the payment back. A return that is due ends, because the payer has the money. If the money had been
 * paid back before, it left our bank twice.
 */
export function takenBack(state: Deposit, now: string): DepositEvent[] {
  if (state.status === 'none') return [];
  const refund = refundOf(state);
  if (refund?.takenBackAt) return [];
  if (refund?.state === 'done') return returnedTwice(state, { returnId: refund.returnId }, now);
  const { status, facts, suspense } = state;
  if (suspense?.settledAt) return suspense.settlement?.confirmedBy ? returnedTwice(state, { returnId: null }, now) : [];
  const settled = takenFromSuspense(state, now);
  if (status === 'voided') {
    if (refund?.state !== 'due') return settled;
    const { depositId } = facts;
    return [new DepositReturned({ depositId, returnId: refund.returnId, returnedAt: now, takenBack: true })];
  }
  const accountId = status === 'created' ? facts.accountId : state.accountId;
  return [...settled, voidedDeposit(status, { ...facts, accountId }, { reason: 'taken-back', returnId: null, now })];
}

/** Books the second payment as a loss, so that the books keep matching what our bank holds. */
function returnedTwice(
  { facts, doubleReturn }: KnownDeposit,
  { returnId, bankReturnId = null }: { readonly returnId: string | null; readonly bankReturnId?: string | null },
  now: string,
): DepositEvent[] {
  if (doubleReturn) return [];
  const { depositId, asset, amount } = facts;
  const postings = balanced(doubleReturnPostings(Money.stored(asset, amount)));
  const ids = { returnId, ...(bankReturnId && { bankReturnId }) };
  return [new DoubleReturnPosted({ depositId, ...ids, amount: { asset, amount }, postings, postedAt: now })];
}

/** What the bank says about a return. */
type ReturnAtBank = { readonly status: string; readonly amount: string | null };

/** Whether the return is of the whole payment. The amount of a return that the bank did not execute means nothing. */
export const isOfPayment = ({ status, amount }: ReturnAtBank, facts: DepositFacts): boolean =>
  status === 'not-carried-out' || amount === null || amount === facts.amount;

/** The id under which the bank has the payment. Throws an `Error` for a deposit that no bank can send back. */
export function idAtBank({ depositId, endToEndId, type }: DepositFacts): string {
  if (endToEndId === null) throw new Error(`deposit ${depositId} of type ${type} cannot be sent back through a bank`);
  return endToEndId;
}

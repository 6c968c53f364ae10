import type { AmountOf, Hold, LedgerAccountEvent } from '@ponte/contracts';
import { ExchangePosted, TokenMovementPosted, WithdrawalPosted } from '@ponte/contracts';
import { behindEvent } from '@ponte/event-sourcing';
import { Money } from '@ponte/kernel';
import { refuseExchange, refuseHold, refuseNotPositive } from './ledger-account.errors';
import type { LedgerAccount, OpenHold } from './ledger-account.state';
import { creditedTo, exchangePostings } from './exchange-postings.domain';
import { amountOf, balanced, movementPostings, withdrawalPostings } from './postings.domain';
import type { PostTokenMovement, PostExchange, PostWithdrawal } from './ledger-account.commands';
import { withdrawalPostingId, movementPostingId, exchangePostingId } from './ledger-account.commands';

export function postExchange(command: PostExchange, state: LedgerAccount): LedgerAccountEvent[] {
  const { accountId, orderId, holdId, custody, charges, deliveryHold, now } = command;
  const postingId = exchangePostingId(orderId);
  if (state.taken.has(postingId)) return [];
  const debit = positive(command.debit);
  const credit = positive(command.credit);
  const hold = placedHold(state, holdId);
  if (hold.owner.kind !== 'order' || hold.owner.id !== orderId)
    return refuseHold('the hold does not belong to the order');
  if (hold.asset !== debit.asset || !positive(hold).equals(debit))
    return refuseHold('the amount of an exchange must equal its hold');
  const postings = exchangePostings({ accountId, debit, credit, charges, custody });
  if (!postings) return refuseExchange();
  const credited = creditedTo({ credit, custody });
  if (deliveryHold && !isWhole(deliveryHold, credited, state))
    return refuseHold('a delivery hold must cover the whole credit under a new id');
  return [
    new ExchangePosted({
      accountId,
      postingId,
      holdId,
      orderId,
      debit: amountOf(debit),
      credit: credited,
      postings,
      charges,
      deliveryHold,
      postedAt: now,
    }),
  ];
}

/** Debits exactly what the withdrawal holds, once per withdrawal. */
export function postWithdrawal(
  { accountId, withdrawalId, holdId, receiverAccountId = null, now }: PostWithdrawal,
  state: LedgerAccount,
): LedgerAccountEvent[] {
  const postingId = withdrawalPostingId(withdrawalId);
  if (state.taken.has(postingId)) return [];
  const hold = placedHold(state, holdId);
  if (hold.owner.kind !== 'withdrawal' || hold.owner.id !== withdrawalId)
    return refuseHold('the hold does not belong to the withdrawal');
  // The postings of a move within one account are zero, so the debit of the balance would differ from the books.
  if (receiverAccountId === accountId) return refuseHold('the receiver of a withdrawal must be a different account');
  const debit = positive(hold);
  const postings = balanced(withdrawalPostings(accountId, debit, receiverAccountId));
  return [
    new WithdrawalPosted({
      accountId,
      postingId,
      holdId,
      withdrawalId,
      debit: amountOf(debit),
      postings,
      postedAt: now,
    }),
  ];
}

/**
 * Posts a movement of held tokens. The destination decides which account is credited: the same account, clearing for
 * another account with us, or external.
 */
export function postTokenMovement(command: PostTokenMovement, state: LedgerAccount): LedgerAccountEvent[] {
  const { accountId, movementId, owner, holdId, receiverAccountId, now } = command;
  const postingId = movementPostingId(movementId);
  if (state.taken.has(postingId)) return [];
  const debit = positive(command.debit);
  const hold = placedHold(state, holdId);
  if (hold.owner.kind !== owner.kind || hold.owner.id !== owner.id)
    return refuseHold('the hold does not belong to the owner of the movement');
  if (hold.asset !== debit.asset || !positive(hold).equals(debit))
    return refuseHold('the amount of a movement must equal its hold');
  return [
    new TokenMovementPosted({
      accountId,
      postingId,
      holdId,
      movementId,
      owner: { kind: owner.kind, id: owner.id },
      debit: amountOf(debit),
      credit: receiverAccountId === accountId ? amountOf(debit) : null,
      postings: balanced(movementPostings(accountId, debit, receiverAccountId)),
      postedAt: now,
    }),
  ];
}

/**
 * The open hold. Its caller knows that it was placed, so an account without it is an old state (see {@link mustKnow}).
 */
export function placedHold(state: LedgerAccount, holdId: string): OpenHold {
  mustKnow(state, holdId);
  return openHold(state, holdId);
}

export function mustKnow({ holds, taken }: LedgerAccount, holdId: string): void {
  if (!taken.has(holdId) && !holds.get(holdId)) behindEvent(`hold ${holdId}`, 'not placed');
}

export const openHold = (state: LedgerAccount, holdId: string): OpenHold =>
  state.holds.get(holdId) ?? refuseHold('the hold is not open');

/** Whether the hold covers the whole credit, under an id that no other hold or posting has. */
const isWhole = (hold: Hold, credited: AmountOf | null, state: LedgerAccount): boolean =>
  credited !== null &&
  hold.asset === credited.asset &&
  hold.amount === credited.amount &&
  !state.taken.has(hold.holdId);

export const sameHold = (open: OpenHold, hold: Hold, amount: Money): boolean =>
  open.owner.kind === hold.owner.kind &&
  open.owner.id === hold.owner.id &&
  open.asset === hold.asset &&
  open.amount === amount.toString();

export function positive({ asset, amount }: AmountOf): Money {
  const money = Money.parse(asset, amount);
  return money.isPositive() ? money : refuseNotPositive('amount');
}

import type {
  AmountOf,
  DepositVoidReason,
  ExchangeCharges,
  Hold,
  HoldOwner,
  LedgerAccountEvent,
} from '@ponte/contracts';
import {
  DepositPosted,
  DepositPostedAndHeld,
  DepositReversed,
  ExchangePosted,
  HoldPlaced,
  HoldReleased,
  HouseLossPosted,
  HouseLossReversed,
  TokenMovementPosted,
  WithdrawalPosted,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { Money } from '@ponte/kernel';
import { refuseExchange, refuseHold, refuseInsufficientBalance, refuseNotPositive } from './ledger-account.refusals';
import type { LedgerAccount, OpenHold } from './ledger-account.state';
import { availableOf, balanceOf, emptyLedgerAccount, evolve } from './ledger-account.state';
import { creditedTo, exchangePostings } from './exchange-postings';
import { ledgerAccountSnapshots } from './ledger-account.snapshot';
import type { DepositSource } from './postings';
import type { LossPath } from '../../house-loss/loss-path';
import {
  amountOf,
  balanced,
  depositPostings,
  lossPostings,
  movementPostings,
  restoredPostings,
  reversalPostings,
  withdrawalPostings,
} from './postings';

/** `now` is the one clock reading of the decision. Amounts are decimal strings at most at their asset's scale. */
export type LedgerAccountCommand =
  | { readonly kind: 'place-hold'; readonly accountId: string; readonly hold: Hold; readonly now: string }
  | {
      readonly kind: 'release-hold';
      readonly accountId: string;
      readonly holdId: string;
      readonly reason: string;
      readonly placed?: boolean;
    }
  | {
      readonly kind: 'post-deposit';
      readonly accountId: string;
      readonly depositId: string;
      readonly credit: AmountOf;
      readonly hold: Hold | null;
      readonly from?: DepositSource;
      readonly now: string;
    }
  | {
      readonly kind: 'reverse-deposit';
      readonly accountId: string;
      readonly depositId: string;
      readonly holdId: string;
      readonly reason: DepositVoidReason;
      readonly now: string;
    }
  /** The bank took the payment back. */
  | {
      readonly kind: 'take-back-deposit';
      readonly accountId: string;
      readonly depositId: string;
      readonly credit: AmountOf;
      /**
       * False when the deposit was not credited by then: it counts as posted only if this stream shows it. Ids older
       * than 30 days are forgotten.
       */
      readonly credited: boolean;
      readonly now: string;
    }
  /** `causeId` is the event that says what was lost, or is there again: each is posted once. */
  | {
      readonly kind: 'post-loss' | 'reverse-loss';
      readonly accountId: string;
      readonly transactionId: string;
      readonly causeId: string;
      readonly loss: AmountOf;
      readonly path: LossPath;
      readonly now: string;
    }
  | PostExchange
  | PostWithdrawal
  | PostTokenMovement;

interface PostTokenMovement {
  readonly kind: 'post-token-movement';
  readonly accountId: string;
  readonly movementId: string;
  readonly owner: HoldOwner;
  readonly holdId: string;
  readonly debit: AmountOf;
  /** Null when the destination is outside our custody. */
  readonly receiverAccountId: string | null;
  readonly now: string;
}

type ReleaseHold = Extract<LedgerAccountCommand, { kind: 'release-hold' }>;

interface PostExchange {
  readonly kind: 'post-exchange';
  readonly accountId: string;
  readonly orderId: string;
  readonly holdId: string;
  readonly debit: AmountOf;
  readonly credit: AmountOf;
  readonly custody: boolean;
  readonly charges: ExchangeCharges;
  /** Holds the credit for its delivery in the same event, so that nothing else can spend it. */
  readonly deliveryHold: Hold | null;
  readonly now: string;
}

interface PostWithdrawal {
  readonly kind: 'post-withdrawal';
  readonly accountId: string;
  readonly withdrawalId: string;
  readonly holdId: string;
  /** Whose wallet with us received the tokens; null or absent of any other withdrawal. */
  readonly receiverAccountId?: string | null;
  readonly now: string;
}

/** Each is posted once: what drives the account's stream is named by it, never by the command that asks. */
export const depositPostingId = (depositId: string): string => `deposit:${depositId}`;
export const reversalPostingId = (depositId: string): string => `reversal:${depositId}`;
export const takeBackPostingId = (depositId: string): string => `taken-back:${depositId}`;
export const withdrawalPostingId = (withdrawalId: string): string => `withdrawal:${withdrawalId}`;
export const movementPostingId = (movementId: string): string => `movement:${movementId}`;
export const exchangePostingId = (orderId: string): string => `exchange:${orderId}`;

/** Stream `ledgerAccount-<accountId>`: balances, open holds and postings of one account, all assets. */
export const ledgerAccount: Decider<LedgerAccountCommand, LedgerAccount, LedgerAccountEvent> = {
  category: 'ledgerAccount',
  initial: emptyLedgerAccount,
  events: [
    HoldPlaced,
    HoldReleased,
    DepositPosted,
    DepositPostedAndHeld,
    ExchangePosted,
    DepositReversed,
    HouseLossPosted,
    HouseLossReversed,
    TokenMovementPosted,
    WithdrawalPosted,
  ],
  evolve,
  snapshots: ledgerAccountSnapshots,
  decide(command, state) {
    switch (command.kind) {
      case 'place-hold':
        return placeHold(command.accountId, command.hold, command.now, state);
      case 'release-hold':
        return releaseHold(command, state);
      case 'post-deposit': {
        const postingId = depositPostingId(command.depositId);
        if (state.taken.has(postingId)) return [];
        const credit = positive(command.credit);
        const { accountId, depositId, hold, now, from = 'settlement' } = command;
        const facts = {
          accountId,
          postingId,
          depositId,
          credit: amountOf(credit),
          postings: balanced(depositPostings(accountId, credit, from)),
          postedAt: now,
        };
        if (!hold) return [new DepositPosted(facts)];
        if (state.taken.has(hold.holdId) || !positive(hold).equals(credit))
          return refuseHold('a payment is held whole, under an id of its own');
        return [new DepositPostedAndHeld({ ...facts, hold: { ...hold, amount: credit.toString() } })];
      }
      case 'post-exchange':
        return postExchange(command, state);
      case 'take-back-deposit':
        return takeBack(command, state);
      case 'post-withdrawal':
        return postWithdrawal(command, state);
      case 'post-token-movement':
        return postTokenMovement(command, state);
      case 'post-loss':
      case 'reverse-loss': {
        const postingId = `${command.kind}:${command.causeId}`;
        if (state.taken.has(postingId)) return [];
        const loss = positive(command.loss);
        const { accountId, transactionId, now: postedAt } = command;
        const about = { accountId, postingId, transactionId, loss: amountOf(loss) };
        return command.kind === 'post-loss'
          ? [new HouseLossPosted({ ...about, postings: balanced(lossPostings(loss, command.path)), postedAt })]
          : [new HouseLossReversed({ ...about, postings: balanced(restoredPostings(loss, command.path)), postedAt })];
      }
      case 'reverse-deposit': {
        const postingId = reversalPostingId(command.depositId);
        if (state.taken.has(postingId)) return [];
        const { accountId, depositId, holdId, reason, now } = command;
        // The bank has the money already: what is held for the order was debited then, so only the hold ends.
        if (state.taken.has(takeBackPostingId(depositId)))
          return state.holds.get(holdId) ? [new HoldReleased({ accountId, holdId, reason: 'taken-back' })] : [];
        const hold = placedHold(state, holdId);
        if (hold.depositId !== depositId) return refuseHold('the hold is not that of the payment');
        const debit = positive(hold);
        return [
          new DepositReversed({
            accountId,
            postingId,
            depositId,
            holdId,
            debit: amountOf(debit),
            postings: balanced(reversalPostings(accountId, debit)),
            reason,
            postedAt: now,
          }),
        ];
      }
    }
  },
};

/**
 * It is the only posting that may make a balance negative. Nothing when the payment was never posted, or has gone back
 * already.
 */
function takeBack(
  { accountId, depositId, credit, credited, now }: Extract<LedgerAccountCommand, { kind: 'take-back-deposit' }>,
  state: LedgerAccount,
): LedgerAccountEvent[] {
  const postingId = takeBackPostingId(depositId);
  const isPosted = credited || state.taken.has(depositPostingId(depositId));
  if (!isPosted || state.taken.has(postingId) || state.taken.has(reversalPostingId(depositId))) return [];
  const debit = positive(credit);
  return [
    new DepositReversed({
      accountId,
      postingId,
      depositId,
      holdId: null,
      debit: amountOf(debit),
      postings: balanced(reversalPostings(accountId, debit)),
      reason: 'taken-back',
      postedAt: now,
    }),
  ];
}

function placeHold(accountId: string, hold: Hold, now: string, state: LedgerAccount): LedgerAccountEvent[] {
  const amount = positive(hold);
  if (state.taken.has(hold.holdId)) {
    const open = openHold(state, hold.holdId);
    return sameHold(open, hold, amount) ? [] : refuseHold('another hold has this id');
  }
  if (amount.minor > availableOf(balanceOf(state, hold.asset))) return refuseInsufficientBalance(hold.owner);
  const { holdId, owner } = hold;
  return [
    new HoldPlaced({
      accountId,
      hold: { holdId, owner: { kind: owner.kind, id: owner.id }, ...amountOf(amount) },
      placedAt: now,
    }),
  ];
}

/**
 * A release that comes late is nothing. The held payment of a charge never becomes available, so it is not released
 * either.
 */
function releaseHold({ accountId, holdId, reason, placed }: ReleaseHold, state: LedgerAccount): LedgerAccountEvent[] {
  if (placed) mustKnow(state, holdId);
  const hold = state.holds.get(holdId);
  return !hold || hold.depositId !== null ? [] : [new HoldReleased({ accountId, holdId, reason })];
}

function postExchange(command: PostExchange, state: LedgerAccount): LedgerAccountEvent[] {
  const { accountId, orderId, holdId, custody, charges, deliveryHold, now } = command;
  const postingId = exchangePostingId(orderId);
  if (state.taken.has(postingId)) return [];
  const debit = positive(command.debit);
  const credit = positive(command.credit);
  const hold = placedHold(state, holdId);
  if (hold.owner.kind !== 'order' || hold.owner.id !== orderId) return refuseHold('the hold is not that of the order');
  if (hold.asset !== debit.asset || !positive(hold).equals(debit))
    return refuseHold('an exchange uses its hold up, exactly');
  const postings = exchangePostings({ accountId, debit, credit, charges, custody });
  if (!postings) return refuseExchange();
  const credited = creditedTo({ credit, custody });
  if (deliveryHold && !isWhole(deliveryHold, credited, state))
    return refuseHold('a delivery holds the whole credit, under an id of its own');
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

/** Debits what the withdrawal holds, exactly, once per withdrawal. */
function postWithdrawal(
  { accountId, withdrawalId, holdId, receiverAccountId = null, now }: PostWithdrawal,
  state: LedgerAccount,
): LedgerAccountEvent[] {
  const postingId = withdrawalPostingId(withdrawalId);
  if (state.taken.has(postingId)) return [];
  const hold = placedHold(state, holdId);
  if (hold.owner.kind !== 'withdrawal' || hold.owner.id !== withdrawalId)
    return refuseHold('the hold does not belong to the withdrawal');
  // The postings of a move within one account are zero, so that the debit of the balance would differ from the books.
  if (receiverAccountId === accountId) return refuseHold('a withdrawal leaves its account');
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

/** The destination decides who gives account of the tokens from here on. */
function postTokenMovement(command: PostTokenMovement, state: LedgerAccount): LedgerAccountEvent[] {
  const { accountId, movementId, owner, holdId, receiverAccountId, now } = command;
  const postingId = movementPostingId(movementId);
  if (state.taken.has(postingId)) return [];
  const debit = positive(command.debit);
  const hold = placedHold(state, holdId);
  if (hold.owner.kind !== owner.kind || hold.owner.id !== owner.id)
    return refuseHold('the hold is not that of the owner of the movement');
  if (hold.asset !== debit.asset || !positive(hold).equals(debit))
    return refuseHold('a movement uses its hold up, exactly');
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

/** A hold that is known to have been placed: an account that has never heard of it was read before that. */
function placedHold(state: LedgerAccount, holdId: string): OpenHold {
  mustKnow(state, holdId);
  return openHold(state, holdId);
}

function mustKnow({ holds, taken }: LedgerAccount, holdId: string): void {
  if (!taken.has(holdId) && !holds.get(holdId)) behindEvent(`hold ${holdId}`, 'not placed');
}

const openHold = (state: LedgerAccount, holdId: string): OpenHold =>
  state.holds.get(holdId) ?? refuseHold('the hold is not open');

/** Whether a hold of the credit sets all of it aside, under an id that no other hold or posting has. */
const isWhole = (hold: Hold, credited: AmountOf | null, state: LedgerAccount): boolean =>
  credited !== null &&
  hold.asset === credited.asset &&
  hold.amount === credited.amount &&
  !state.taken.has(hold.holdId);

const sameHold = (open: OpenHold, hold: Hold, amount: Money): boolean =>
  open.owner.kind === hold.owner.kind &&
  open.owner.id === hold.owner.id &&
  open.asset === hold.asset &&
  open.amount === amount.toString();

function positive({ asset, amount }: AmountOf): Money {
  const money = Money.parse(asset, amount);
  return money.isPositive() ? money : refuseNotPositive('amount');
}

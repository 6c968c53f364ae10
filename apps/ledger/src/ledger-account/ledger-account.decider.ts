import type { LedgerAccountEvent } from '@ponte/contracts';
import {
  LEDGER_ACCOUNT_EVENTS,
  DepositPosted,
  DepositPostedAndHeld,
  DepositPostingBarred,
  DepositReversed,
  HoldPlaced,
  HoldReleased,
  HouseLossPosted,
  HouseLossReversed,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { refuseHold, refuseInsufficientBalance, refuseSourceLacks } from './ledger-account.errors';
import type { LedgerAccount } from './ledger-account.state';
import {
  amountOf,
  availableOf,
  balanceOf,
  emptyLedgerAccount,
  evolve,
  openHold,
  positive,
  sameHold,
} from './ledger-account.state';
import { walletCovers } from '../hold-source/hold-source.domain';
import { ledgerAccountSnapshots } from './ledger-account.snapshot';
import { postExchange } from './exchange-postings.domain';
import { writeOff } from '../write-off/write-off.domain';
import { assertKnown, assertRemembered } from './forgotten-ids.domain';
import {
  balanced,
  depositPostings,
  lossPostings,
  restoredPostings,
  reversalPostings,
  postWithdrawal,
  postTokenMovement,
  placedHold,
} from './postings.domain';
import type { LedgerAccountCommand, PlaceHold, Recalling, ReleaseHold } from './ledger-account.commands';
import { depositPostingId, reversalPostingId, takeBackPostingId } from './ledger-account.commands';

/** Stream `ledgerAccount-<accountId>`: balances, open holds and postings of one account in all assets. */
export const ledgerAccount: Decider<LedgerAccountCommand | Recalling, LedgerAccount, LedgerAccountEvent> = {
  category: 'ledgerAccount',
  initial: emptyLedgerAccount,
  events: LEDGER_ACCOUNT_EVENTS,
  evolve,
  snapshots: ledgerAccountSnapshots,
  decide(command, state) {
    switch (command.kind) {
      case 'recalling':
        return ledgerAccount.decide(command.command, { ...state, taken: state.taken.recalling(command.found) });
      case 'place-hold':
        return placeHold(command, state);
      case 'release-hold':
        return releaseHold(command, state);
      case 'post-deposit': {
        const postingId = depositPostingId(command.depositId);
        // The take-back of the payment is posted, or bars the payment.
        if (state.taken.has(postingId) || state.taken.has(takeBackPostingId(command.depositId))) return [];
        assertRemembered(state, command.since, [postingId, takeBackPostingId(command.depositId)]);
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
          return refuseHold('the hold of a payment must cover all of it under a new id');
        return [new DepositPostedAndHeld({ ...facts, hold: { ...hold, amount: credit.toString() } })];
      }
      case 'write-off':
        return writeOff(command, state);
      case 'post-exchange':
        return postExchange(command, state);
      case 'take-back-deposit':
        return takeBack(command, state);
      case 'post-withdrawal':
        return postWithdrawal(command, state);
      case 'post-token-movement':
        return postTokenMovement(command, state);
      case 'post-loss':
      case 'reverse-loss':
        return postLoss(command, state);
      case 'reverse-deposit': {
        const postingId = reversalPostingId(command.depositId);
        if (state.taken.has(postingId)) return [];
        const { accountId, depositId, holdId, reason, now } = command;
        const takeBackId = takeBackPostingId(depositId);
        // The bank already has the money: the take-back debited it from the account, so only the hold ends.
        if (state.taken.has(takeBackId))
          return state.holds.get(holdId) ? [new HoldReleased({ accountId, holdId, reason: 'taken-back' })] : [];
        assertRemembered(state, state.holds.get(holdId)?.placedAt, [takeBackId]);
        const hold = placedHold(state, holdId, postingId, takeBackId);
        if (hold.depositId !== depositId) return refuseHold('the hold does not belong to the payment');
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
 * The only posting that may make a balance negative. Returns no event if the payment has already been sent back. A
 * payment that is not posted is barred instead: a process may have read its deposit before, and post it later.
 */
function takeBack(
  {
    accountId,
    depositId,
    credit,
    credited,
    reason = 'taken-back',
    from,
    since,
    now,
  }: Extract<LedgerAccountCommand, { kind: 'take-back-deposit' }>,
  state: LedgerAccount,
): LedgerAccountEvent[] {
  const postingId = takeBackPostingId(depositId);
  const [reversalId, creditId] = [reversalPostingId(depositId), depositPostingId(depositId)] as const;
  if (state.taken.has(postingId) || state.taken.has(reversalId)) return [];
  assertRemembered(state, since, [postingId, reversalId, creditId]);
  if (!credited && !state.taken.has(creditId))
    return [new DepositPostingBarred({ accountId, postingId, depositId, barredAt: now })];
  const debit = positive(credit);
  return [
    new DepositReversed({
      accountId,
      postingId,
      depositId,
      holdId: null,
      debit: amountOf(debit),
      postings: balanced(reversalPostings(accountId, debit, from)),
      reason,
      postedAt: now,
    }),
  ];
}

/** Posts a loss of the house, or its end, once per cause. */
function postLoss(
  command: Extract<LedgerAccountCommand, { kind: 'post-loss' | 'reverse-loss' }>,
  state: LedgerAccount,
): LedgerAccountEvent[] {
  const { kind, accountId, transactionId, path, since, now: postedAt } = command;
  const postingId = `${kind}:${command.causeId}`;
  if (state.taken.has(postingId)) return [];
  assertRemembered(state, since, [postingId]);
  const loss = positive(command.loss);
  const about = { accountId, postingId, transactionId, loss: amountOf(loss) };
  return kind === 'post-loss'
    ? [new HouseLossPosted({ ...about, postings: balanced(lossPostings(loss, path)), postedAt })]
    : [new HouseLossReversed({ ...about, postings: balanced(restoredPostings(loss, path)), postedAt })];
}

function placeHold({ accountId, hold, funds, now }: PlaceHold, state: LedgerAccount): LedgerAccountEvent[] {
  const amount = positive(hold);
  if (state.taken.has(hold.holdId)) {
    const open = openHold(state, hold.holdId);
    return sameHold(open, hold, amount) ? [] : refuseHold('another hold has this id');
  }
  if (amount.minor > availableOf(balanceOf(state, hold.asset))) return refuseInsufficientBalance(hold.owner);
  if (funds && !walletCovers(hold, amount, funds, state)) return refuseSourceLacks(hold.owner);
  const { holdId, owner, source } = hold;
  const placed = { holdId, owner: { kind: owner.kind, id: owner.id }, ...amountOf(amount), ...(source && { source }) };
  return [new HoldPlaced({ accountId, hold: placed, placedAt: now })];
}

/**
 * Releasing a hold that is no longer open does nothing. The held payment of a charge must never become available, so it
 * is not released either.
 */
function releaseHold({ accountId, holdId, reason, placed }: ReleaseHold, state: LedgerAccount): LedgerAccountEvent[] {
  if (placed) assertKnown(state, holdId);
  const hold = state.holds.get(holdId);
  return !hold || hold.depositId !== null ? [] : [new HoldReleased({ accountId, holdId, reason })];
}

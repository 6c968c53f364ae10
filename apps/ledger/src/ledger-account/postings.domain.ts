import type { HouseAccount, Posting, LedgerAccountEvent } from '@ponte/contracts';
import { TokenMovementPosted, WithdrawalPosted } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money, assetOf } from '@ponte/kernel';
import type { LossPath } from '../house-loss/loss-path.domain';
import { assertKnown } from './forgotten-ids.domain';
import { refuseHold } from './ledger-account.errors';
import type { LedgerAccount, OpenHold } from './ledger-account.state';
import { amountOf, openHold, positive } from './ledger-account.state';
import type { DepositSource, PostTokenMovement, PostWithdrawal } from './ledger-account.commands';
import { withdrawalPostingId, movementPostingId } from './ledger-account.commands';

export const customerAccount = (accountId: string): string => `customer:${accountId}`;
export const houseAccount = (name: HouseAccount): string => `house:${name}`;

const leg = (account: string, amount: Money): Posting => ({ account, asset: amount.asset, amount: amount.toString() });

/** Moves an amount between two accounts: the two legs sum to zero. */
export const move = (amount: Money, from: string, to: string): Posting[] => [
  leg(from, amount.negate()),
  leg(to, amount),
];

/** Credits the account from the house account of the source, by default that of settlement. */
export const depositPostings = (accountId: string, credit: Money, from: DepositSource = 'settlement'): Posting[] =>
  move(credit, houseAccount(from), customerAccount(accountId));

/**
 * Tokens leave the account's wallets: to outside our custody, to another Ponte account, or to another wallet of the
 * same account.
 */
export function movementPostings(accountId: string, debit: Money, receiverAccountId: string | null): Posting[] {
  if (receiverAccountId === accountId) return move(debit, customerAccount(accountId), customerAccount(accountId));
  return move(debit, customerAccount(accountId), houseAccount(receiverAccountId === null ? 'external' : 'clearing'));
}

/** A deposit is taken out of the balance again: BRL goes back to its payer, tokens go where they came from. */
export const reversalPostings = (accountId: string, debit: Money, to: DepositSource = 'settlement'): Posting[] =>
  move(debit, customerAccount(accountId), houseAccount(to));

/** Money at our bank, or tokens in our wallets, that is in no balance and cannot be sent back automatically. */
export const suspensePostings = (amount: Money, from: DepositSource = 'settlement'): Posting[] =>
  move(amount, houseAccount(from), houseAccount('suspense'));

/** Money in suspense left our bank. */
export const settledSuspensePostings = (amount: Money): Posting[] =>
  move(amount, houseAccount('suspense'), houseAccount('settlement'));

/** Tokens in suspense were sent: out of our custody, or to another Ponte account. */
export const sentSuspensePostings = (amount: Money, receiverAccountId: string | null): Posting[] =>
  move(amount, houseAccount('suspense'), houseAccount(receiverAccountId === null ? 'external' : 'clearing'));

/** What is left of a closed account: we owe it to no one who can use it. */
export const unclaimedPostings = (accountId: string, debit: Money): Posting[] =>
  move(debit, customerAccount(accountId), houseAccount('unclaimed'));

/** Money left our bank a second time, although it was owed only once. */
export const doubleReturnPostings = (amount: Money): Posting[] =>
  move(amount, houseAccount('loss'), houseAccount('settlement'));

/** Fiat money leaves our bank. Tokens leave our custody, or go to another account's Ponte wallet. */
export const withdrawalPostings = (accountId: string, debit: Money, receiverAccountId: string | null): Posting[] =>
  assetOf(debit.asset).kind === 'fiat'
    ? move(debit, customerAccount(accountId), houseAccount('settlement'))
    : movementPostings(accountId, debit, receiverAccountId);

/** A reorg removed a movement: the loss is posted between two house accounts. */
export const lossPostings = (loss: Money, { from, to }: LossPath): Posting[] =>
  move(loss, houseAccount(from), houseAccount(to));

/** The movement is on the chain again: the loss is reversed. */
export const restoredPostings = (loss: Money, { from, to }: LossPath): Posting[] =>
  move(loss, houseAccount(to), houseAccount(from));

/** Whether this BRL backs these BRLV: exactly one to one, otherwise the supply would not equal the reserve. */
export const backs = (brl: Money, token: Money): boolean =>
  token.minor === brl.minor * 10n ** BigInt(assetOf(token.asset).scale - assetOf(brl.asset).scale);

/** The sum per asset. The sums of every entry in the books are zero. */
export function sumsOf(postings: readonly Posting[]): ReadonlyMap<AssetId, bigint> {
  const sums = new Map<AssetId, bigint>();
  for (const { asset, amount } of postings)
    sums.set(asset, (sums.get(asset) ?? 0n) + Money.stored(asset, amount).minor);
  return sums;
}

/** Throws if the legs do not sum to zero per asset, which is a bug in this code, never a caller's mistake. */
export function balanced(postings: readonly Posting[]): readonly Posting[] {
  for (const [asset, sum] of sumsOf(postings))
    if (sum !== 0n) throw new Error(`an entry of the books does not balance in ${asset}`);
  return postings;
}

/** Debits exactly what the withdrawal holds, once per withdrawal. */
export function postWithdrawal(
  { accountId, withdrawalId, holdId, receiverAccountId = null, now }: PostWithdrawal,
  state: LedgerAccount,
): LedgerAccountEvent[] {
  const postingId = withdrawalPostingId(withdrawalId);
  if (state.taken.has(postingId)) return [];
  const hold = placedHold(state, holdId, postingId);
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
 * another Ponte account, or external.
 */
export function postTokenMovement(command: PostTokenMovement, state: LedgerAccount): LedgerAccountEvent[] {
  const { accountId, movementId, owner, holdId, receiverAccountId, now } = command;
  const postingId = movementPostingId(movementId);
  if (state.taken.has(postingId)) return [];
  const debit = positive(command.debit);
  const hold = placedHold(state, holdId, postingId);
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

/** The open hold. Its caller knows that it was placed. `postingIds`: the postings that may have ended it. */
export function placedHold(state: LedgerAccount, holdId: string, ...postingIds: readonly string[]): OpenHold {
  assertKnown(state, holdId, ...postingIds);
  return openHold(state, holdId);
}

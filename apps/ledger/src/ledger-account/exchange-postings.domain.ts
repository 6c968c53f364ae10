import type { AmountOf, ExchangeCharges, Hold, LedgerAccountEvent, Posting } from '@ponte/contracts';
import { ExchangePosted } from '@ponte/contracts';
import type { AssetSymbol } from '@ponte/kernel';
import { Money, assetOf } from '@ponte/kernel';
import type { PostExchange } from './ledger-account.commands';
import { exchangePostingId } from './ledger-account.commands';
import { refuseExchange, refuseHold } from './ledger-account.errors';
import type { LedgerAccount } from './ledger-account.state';
import { amountOf, moneyOf, positive } from './ledger-account.state';
import { backs, balanced, customerAccount, houseAccount, move, placedHold } from './postings.domain';

/** What an exchange debits and credits, for one customer. */
interface Exchange {
  readonly accountId: string;
  readonly debit: Money;
  readonly credit: Money;
  /** BRL amounts that the house keeps from an FX conversion; all zero for a same-currency conversion. */
  readonly charges: ExchangeCharges;
  /** True if a credited token is in one of our wallets, so that it becomes a balance of the account. */
  readonly custody: boolean;
}

const FOREIGN: ReadonlySet<AssetSymbol> = new Set(['USDC', 'USDT']);
const BRL = 'fiat/brl';

/** How an exchange is posted: at par, as vault shares, or against the FX position. Undefined for other pairs. */
function kindOf({ debit, credit }: Exchange): 'par' | 'shares' | 'fx' | undefined {
  const [brl, token] = debit.asset === BRL ? [debit, credit] : [credit, debit];
  const { symbol } = assetOf(token.asset);
  if (brl.asset !== BRL) return undefined;
  if (symbol === 'BRLV') return backs(brl, token) ? 'par' : undefined;
  if (symbol === 'wBRLY') return 'shares';
  return FOREIGN.has(symbol) ? 'fx' : undefined;
}

/**
 * The postings of an exchange, which sum to zero per asset. Undefined if the exchange cannot be posted: an unsupported
 * pair, BRLV that is not one to one with its BRL, charges on a same-currency conversion, negative charges, or charges
 * that leave nothing for the position.
 */
export function exchangePostings(exchange: Exchange): readonly Posting[] | undefined {
  const kind = kindOf(exchange);
  if (kind === undefined) return undefined;
  if (kind === 'fx') return fxPostings(exchange);
  return Object.values(chargesOf(exchange.charges)).some((charge) => !charge.isZero())
    ? undefined
    : issuedPostings(exchange);
}

/** Tokens that Ponte issues: their BRL enters the reserve when they are issued and leaves it when they are redeemed. */
function issuedPostings({ accountId, debit, credit, custody }: Exchange): readonly Posting[] {
  const customer = customerAccount(accountId);
  return balanced(
    debit.asset === BRL
      ? [
          ...move(debit, customer, houseAccount('reserve')),
          ...move(credit, houseAccount('issuance'), custody ? customer : houseAccount('external')),
        ]
      : [...move(debit, customer, houseAccount('issuance')), ...move(credit, houseAccount('reserve'), customer)],
  );
}

/** Dollar tokens: they leave or enter the treasury. BRL that is not a charge goes to the house's FX position. */
function fxPostings({ accountId, debit, credit, charges, custody }: Exchange): readonly Posting[] | undefined {
  const { spread, fee, tax } = chargesOf(charges);
  const kept = spread.plus(fee).plus(tax);
  if ([spread, fee, tax].some((charge) => charge.isNegative())) return undefined;
  const buying = debit.asset === BRL;
  // Buying: the customer pays the market value plus charges. Selling: the customer gets the market value less charges.
  const market = buying ? debit.minus(kept) : credit.plus(kept);
  if (!market.isPositive()) return undefined;
  const customer = customerAccount(accountId);
  const position = houseAccount('fx-position');
  const brl = buying ? move(market, customer, position) : move(market, position, customer);
  const token = buying
    ? move(credit, houseAccount('treasury'), custody ? customer : houseAccount('external'))
    : move(debit, customer, houseAccount('treasury'));
  const charged = [
    ...move(spread, customer, houseAccount('spread')),
    ...move(fee, customer, houseAccount('fees')),
    ...move(tax, customer, houseAccount('tax')),
  ];
  return balanced([...brl, ...charged, ...token].filter(({ asset, amount }) => !Money.stored(asset, amount).isZero()));
}

const chargesOf = ({ spread, fee, tax }: ExchangeCharges) => {
  const brl = (amount: string): Money => moneyOf({ asset: BRL, amount });
  return { spread: brl(spread), fee: brl(fee), tax: brl(tax) };
};

/** What the account is credited with; null if the target left our custody. */
export const creditedTo = ({ credit, custody }: Pick<Exchange, 'credit' | 'custody'>): AmountOf | null =>
  custody || credit.asset === BRL ? amountOf(credit) : null;

/**
 * Posts the exchange of an order and uses up its hold, once. Refuses unless the hold is of this order and its whole
 * amount.
 */
export function postExchange(command: PostExchange, state: LedgerAccount): LedgerAccountEvent[] {
  const { accountId, orderId, holdId, custody, charges, deliveryHold, now } = command;
  const postingId = exchangePostingId(orderId);
  if (state.taken.has(postingId)) return [];
  const debit = positive(command.debit);
  const credit = positive(command.credit);
  const hold = placedHold(state, holdId, postingId);
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

/** Whether the hold covers the whole credit, under an id that no other hold or posting has. */
const isWhole = (hold: Hold, credited: AmountOf | null, state: LedgerAccount): boolean =>
  credited !== null &&
  hold.asset === credited.asset &&
  hold.amount === credited.amount &&
  !state.taken.has(hold.holdId);

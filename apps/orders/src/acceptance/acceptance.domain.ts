import type {
  Pair,
  AccountRecord,
  PlaceOrderPayload,
  QuoteRecord,
  ResolvedPixKey,
  Timestamp,
  WalletRelation,
} from '@ponte/contracts';
import { pairOf } from '@ponte/contracts';
import type { AssetId, Violation } from '@ponte/kernel';
import { evmAddressViolations, isToken, parseEvmAddress } from '@ponte/kernel';
import { EXTERNAL_ID_USED } from '../order/external-id.decider';
import { QUOTE_EXPIRED } from '../order/order.errors';
import {
  ABOVE_MAXIMUM,
  ACCESS_DENIED,
  NOT_ACTIVE,
  QUOTE_NOT_FOUND,
  PAIR_NOT_SUPPORTED,
  METHOD_NOT_ALLOWED,
  PIX_KEY_NOT_ALLOWED,
  INVALID_PIX_KEY,
  formViolations,
  SOURCE_WALLET_NOT_ALLOWED,
  TARGET_WALLET_NOT_ALLOWED,
  SOURCE_WALLET_REQUIRED,
  TARGET_WALLET_REQUIRED,
  TARGET_WALLET_NOT_WHITELISTED,
  PAY_LATER_NOT_ENABLED,
  SOURCE_WALLET_NOT_OWNED,
  ACCOUNT_HAS_NO_SOURCE_WALLET,
  NO_WALLET_HOLDS_THE_AMOUNT,
  SOURCE_WALLET_LACKS_TOKENS,
  PIX_KEY_NOT_FOUND,
  PIX_KEY_OF_ANOTHER_OWNER,
  TARGET_WALLET_OF_ANOTHER_ACCOUNT,
  WALLET_NOT_FX_WHITELISTED,
} from './acceptance-violations.domain';

/** The rules for orders of one pair of assets. */
type PairRules = Pick<Pair, 'conversion' | 'orderable' | 'paymentMethods' | 'sourceWallet' | 'pixKey' | 'fxWhitelist'>;

const UNKNOWN: PairRules = {
  conversion: 'same-currency',
  orderable: false,
  paymentMethods: ['account-balance'],
  sourceWallet: 'none',
  pixKey: false,
  fxWhitelist: false,
};

/** The rules of a pair. A pair that is not in the table of pairs cannot be ordered. */
export const rulesOf = (source: AssetId, target: AssetId): PairRules => pairOf(source, target) ?? UNKNOWN;

/** The facts known after the first look-ups. */
interface FirstFacts {
  readonly at: Timestamp;
  readonly quote: QuoteRecord | null;
  readonly account: AccountRecord | null;
}
/** The facts that can only be looked up once the quote is known. */
interface FurtherFacts {
  /** The wallet that receives the tokens: the one named in the request, or the account's own. Null for a BRL target. */
  readonly wallet: WalletRelation | null;
  /** The wallet that pays with tokens, chosen in the same way. Null for a BRL source. */
  readonly sourceWallet: WalletRelation | null;
  /** Whether the source wallet, or each wallet of the account if none is named, is known to hold too few tokens. */
  readonly sourceLacks: boolean;
  /** Whether the order would move more tokens than one transaction may. */
  readonly aboveMaximum: boolean;
  /** Whether the token of the order has no contract on its chain. */
  readonly lacksContract: boolean;
  /** The key directory's entry for the Pix key. Null if it has none, or no key is named. `not-asked`: not known yet. */
  readonly pixKey: ResolvedPixKey | 'not-asked' | null;
  /** Why a quote that was made for another account (the parent's) cannot be used on this account. */
  readonly quoteViolations: readonly Violation[];
  readonly externalIdUsed: boolean;
}

/**
 * Whether the caller, which has access to this account, may use the quote on it. A v1 quote is bound to its account. A
 * v0 quote serves its account and, if it belongs to the caller, also that account's sub-accounts. A sub-account cannot
 * see its parent's quotes.
 */
export function isUsable(
  quote: QuoteRecord,
  { accountId, callerAccountId }: PlaceOrderPayload,
  account: AccountRecord | null,
): boolean {
  switch (quote.scope) {
    case 'account':
      return quote.accountId === accountId;
    case 'family':
      return (
        quote.accountId === accountId || (quote.accountId === callerAccountId && account?.parentId === callerAccountId)
      );
  }
}

/** The violations that follow from the first facts, in rule order. */
export function firstViolations(request: PlaceOrderPayload, { at, quote, account }: FirstFacts): Violation[] {
  const violations: Violation[] = [];
  if (account && account.accountId !== request.callerAccountId && account.parentId !== request.callerAccountId)
    return [ACCESS_DENIED];
  if (account?.status !== 'active') violations.push(NOT_ACTIVE);
  if (!quote || !isUsable(quote, request, account)) violations.push(QUOTE_NOT_FOUND);
  return quote && !violations.includes(QUOTE_NOT_FOUND)
    ? [...violations, ...quoteViolations(request, quote, account, at)]
    : [...violations, ...formViolations(request)];
}

function quoteViolations(
  request: PlaceOrderPayload,
  quote: QuoteRecord,
  account: AccountRecord | null,
  at: Timestamp,
): Violation[] {
  const rules = rulesOf(quote.sourceAsset, quote.targetAsset);
  const violations: Violation[] = [];
  if (at >= quote.expiresAt) violations.push(QUOTE_EXPIRED);
  if (!rules.orderable) violations.push(PAIR_NOT_SUPPORTED);
  if (!rules.paymentMethods.includes(request.sourcePaymentMethod)) violations.push(METHOD_NOT_ALLOWED);
  else if (
    request.sourcePaymentMethod === 'brcode' &&
    rules.conversion === 'fx' &&
    !account?.capabilities.includes('pay-after-acceptance')
  )
    violations.push(PAY_LATER_NOT_ENABLED);
  if (request.targetEndUserPixKey !== null && !rules.pixKey) violations.push(PIX_KEY_NOT_ALLOWED);
  else if (request.targetEndUserPixKey === 'invalid') violations.push(INVALID_PIX_KEY);
  if (request.sourceWalletAddress === null) {
    if (rules.sourceWallet === 'required') violations.push(SOURCE_WALLET_REQUIRED);
  } else if (!isToken(quote.sourceAsset)) violations.push(SOURCE_WALLET_NOT_ALLOWED);
  else violations.push(...evmAddressViolations(request.sourceWalletAddress, 'source-wallet-address'));
  if (request.targetWalletAddress === null) return violations;
  if (!isToken(quote.targetAsset)) violations.push(TARGET_WALLET_NOT_ALLOWED);
  else violations.push(...evmAddressViolations(request.targetWalletAddress, 'target-wallet-address'));
  return violations;
}

/** The violations that follow from the further facts, in rule order. */
export function furtherViolations(request: PlaceOrderPayload, quote: QuoteRecord, facts: FurtherFacts): Violation[] {
  const violations = [
    ...(facts.lacksContract && rulesOf(quote.sourceAsset, quote.targetAsset).orderable ? [PAIR_NOT_SUPPORTED] : []),
    ...(isToken(quote.sourceAsset) ? sourceViolations(request, quote, facts) : []),
    ...(isToken(quote.targetAsset) ? walletViolations(request, quote, facts.wallet) : []),
    ...pixKeyViolations(request, quote, facts.pixKey),
  ];
  // These violations name fields of the quote request, which the order request does not have. They are reported as
  // violations of the chosen quote.
  violations.push(...facts.quoteViolations.map((one) => ({ ...one, path: 'quote-id' })));
  // The quote may also be above the maximum of its pair.
  if (facts.aboveMaximum && !violations.some(({ code }) => code === ABOVE_MAXIMUM.code)) violations.push(ABOVE_MAXIMUM);
  if (facts.externalIdUsed) violations.push(EXTERNAL_ID_USED);
  return violations;
}

function walletViolations(request: PlaceOrderPayload, quote: QuoteRecord, wallet: WalletRelation | null): Violation[] {
  if (request.targetWalletAddress === null) return wallet?.kind === 'internal' ? [] : [TARGET_WALLET_REQUIRED];
  if (!parseEvmAddress(request.targetWalletAddress).ok) return [];
  if (wallet?.kind === 'internal') return [];
  if (!wallet?.whitelisted) return [TARGET_WALLET_NOT_WHITELISTED];
  // Nothing would credit the other account: tokens that we mint do not count as a deposit from outside.
  if (wallet.ofAnotherAccount && isMinted(quote)) return [TARGET_WALLET_OF_ANOTHER_ACCOUNT];
  const { fxWhitelist } = rulesOf(quote.sourceAsset, quote.targetAsset);
  return fxWhitelist && !wallet.fxWhitelisted ? [WALLET_NOT_FX_WHITELISTED] : [];
}

/** Whether the target tokens are minted. A treasury payment names the account to credit; a mint does not. */
function isMinted({ sourceAsset, targetAsset }: QuoteRecord): boolean {
  const settlement = pairOf(sourceAsset, targetAsset)?.settlement;
  return settlement === 'mint' || settlement === 'vault-deposit';
}

function sourceViolations(
  { sourceWalletAddress }: PlaceOrderPayload,
  quote: QuoteRecord,
  { sourceWallet: wallet, sourceLacks }: Pick<FurtherFacts, 'sourceWallet' | 'sourceLacks'>,
): Violation[] {
  if (sourceLacks) return [sourceWalletAddress === null ? NO_WALLET_HOLDS_THE_AMOUNT : SOURCE_WALLET_LACKS_TOKENS];
  if (sourceWalletAddress === null) {
    const { sourceWallet } = rulesOf(quote.sourceAsset, quote.targetAsset);
    return sourceWallet === 'required' || wallet?.kind === 'internal' ? [] : [ACCOUNT_HAS_NO_SOURCE_WALLET];
  }
  return !parseEvmAddress(sourceWalletAddress).ok || wallet?.kind === 'internal' ? [] : [SOURCE_WALLET_NOT_OWNED];
}

function pixKeyViolations(
  { targetEndUserPixKey }: PlaceOrderPayload,
  quote: QuoteRecord,
  pixKey: FurtherFacts['pixKey'],
): Violation[] {
  if (pixKey === 'not-asked' || targetEndUserPixKey === null || targetEndUserPixKey === 'invalid') return [];
  if (!rulesOf(quote.sourceAsset, quote.targetAsset).pixKey) return [];
  if (!pixKey) return [PIX_KEY_NOT_FOUND];
  return pixKey.ownedByHolder ? [] : [PIX_KEY_OF_ANOTHER_OWNER];
}

import type {
  AccountRecord,
  Funding,
  PixDelivery,
  PlaceOrderPayload,
  QuoteRecord,
  ResolvedPixKey,
  Timestamp,
  WalletRelation,
} from '@ponte/contracts';
import { pairOf } from '@ponte/contracts';
import type { Violation } from '@ponte/kernel';
import { isToken, parseEvmAddress, violation } from '@ponte/kernel';
import { EXTERNAL_ID_USED } from '../order/external-id.decider';
import type { OrderTerms } from '../order/order.state';
import { QUOTE_EXPIRED } from '../order/order.errors';
import { rulesOf } from './pairs.domain';

/** What is known after the first look-ups. */
export interface FirstFacts {
  readonly at: Timestamp;
  readonly quote: QuoteRecord | null;
  readonly account: AccountRecord | null;
}
/** What depends on the quote. */
export interface FurtherFacts {
  /** The wallet that the tokens go to: the one that the order names, or the account's own. Null for a BRL target. */
  readonly wallet: WalletRelation | null;
  /** The wallet that pays with tokens, in the same way. Null for a BRL source. */
  readonly sourceWallet: WalletRelation | null;
  /** What the key directory says of the Pix key; null when the directory does not know it, or none is named. */
  readonly pixKey: ResolvedPixKey | null;
  /** What a quote made by the parent lacks for this account. */
  readonly quoteViolations: readonly Violation[];
  readonly externalIdUsed: boolean;
}

const ACCESS_DENIED = violation('account-access-denied', '', 'the account is not within reach');
const NOT_ACTIVE = violation('account-not-active', '', 'the account is not active');
const QUOTE_NOT_FOUND = violation('quote-not-found', 'quote-id', 'there is no such quote for this account');
const PAIR = violation('asset-pair-not-supported', 'quote-id', 'these two assets are not converted into each other');
const METHOD = violation(
  'payment-method-not-allowed-for-pair',
  'source-payment-method',
  'this payment method is not allowed for the pair of the quote',
);
const PIX_KEY = violation(
  'pix-key-not-allowed-for-pair',
  'target-end-user-pix-key',
  'a Pix key is for conversions from USDC or BRLV to BRL alone',
);
const SOURCE_WALLET = violation(
  'source-wallet-required',
  'source-wallet-address',
  'a token source needs the wallet that holds it',
);
const TARGET_WALLET = violation(
  'target-wallet-required',
  'target-wallet-address',
  'the account has no wallet of its own on the chain of the target asset',
);
const WALLET = violation(
  'wallet-not-allowed',
  'target-wallet-address',
  'the address is neither a wallet of the account nor whitelisted for it',
);
const PAY_LATER = violation(
  'pay-after-acceptance-not-enabled',
  'source-payment-method',
  'the account may not pay for this pair after the acceptance; pay from the balance',
);
const SOURCE = violation(
  'wallet-not-allowed',
  'source-wallet-address',
  'the source wallet must be a wallet of the account on the chain of the source asset',
);
const NO_SOURCE = violation(
  'source-wallet-required',
  'source-wallet-address',
  'the account has no wallet on the chain of the source asset',
);
const KEY_UNKNOWN = violation('pix-key-not-found', 'target-end-user-pix-key', 'the Pix key is not registered');
const KEY_OWNER = violation(
  'pix-key-tax-id-mismatch',
  'target-end-user-pix-key',
  'the Pix key belongs to another tax id than the account',
);
const OTHERS_WALLET = violation(
  'wallet-not-allowed',
  'target-wallet-address',
  'the address is the wallet of another account; name a wallet of the account, then transfer the tokens',
);
const FX_WALLET = violation(
  'wallet-not-fx-whitelisted',
  'target-wallet-address',
  'the address is not whitelisted for FX',
);

/**
 * Whether the caller, who reaches this account, may use the quote on it: a v1 quote is bound to its account; a v0 quote
 * serves its account and, when it is the caller's own, that account's sub-accounts too. A sub-account does not see what
 * its parent was quoted.
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

/** The violations of an acceptance in rule order, as far as the first facts tell them. */
export function firstViolations(request: PlaceOrderPayload, { at, quote, account }: FirstFacts): Violation[] {
  const violations: Violation[] = [];
  if (account && account.accountId !== request.callerAccountId && account.parentId !== request.callerAccountId)
    return [ACCESS_DENIED];
  if (!quote || !isUsable(quote, request, account)) violations.push(QUOTE_NOT_FOUND);
  if (account?.status !== 'active') violations.push(NOT_ACTIVE);
  return quote && !violations.includes(QUOTE_NOT_FOUND)
    ? [...violations, ...quoteViolations(request, quote, account, at)]
    : violations;
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
  if (!rules.orderable) violations.push(PAIR);
  if (!rules.paymentMethods.includes(request.sourcePaymentMethod)) violations.push(METHOD);
  else if (
    request.sourcePaymentMethod === 'brcode' &&
    rules.conversion === 'fx' &&
    !account?.capabilities.includes('pay-after-acceptance')
  )
    violations.push(PAY_LATER);
  if (request.targetEndUserPixKey !== null && !rules.pixKey) violations.push(PIX_KEY);
  if (isToken(quote.sourceAsset)) {
    if (request.sourceWalletAddress !== null)
      violations.push(...addressViolations(request.sourceWalletAddress, 'source-wallet-address'));
    else if (rules.sourceWallet === 'required') violations.push(SOURCE_WALLET);
  }
  if (request.targetWalletAddress !== null)
    violations.push(...addressViolations(request.targetWalletAddress, 'target-wallet-address'));
  return violations;
}

const NO_ADDRESS = {
  'invalid-address': 'this is not the address of an EVM wallet',
  'bad-address-checksum': 'the address breaks its EIP-55 checksum',
} as const;

function addressViolations(address: string, path: string): Violation[] {
  const parsed = parseEvmAddress(address);
  return parsed.ok ? [] : [violation(parsed.code, path, NO_ADDRESS[parsed.code])];
}

/** The violations that the further facts add, in rule order. */
export function furtherViolations(request: PlaceOrderPayload, quote: QuoteRecord, facts: FurtherFacts): Violation[] {
  const violations = [
    ...(isToken(quote.sourceAsset) ? sourceViolations(request, quote, facts.sourceWallet) : []),
    ...(isToken(quote.targetAsset) ? walletViolations(request, quote, facts.wallet) : []),
    ...pixKeyViolations(request, quote, facts.pixKey),
  ];
  // The members that a quote names are not the order's: what it lacks for this account is a violation of the quote
  // chosen.
  violations.push(...facts.quoteViolations.map((one) => ({ ...one, path: 'quote-id' })));
  if (facts.externalIdUsed) violations.push(EXTERNAL_ID_USED);
  return violations;
}

function walletViolations(request: PlaceOrderPayload, quote: QuoteRecord, wallet: WalletRelation | null): Violation[] {
  if (request.targetWalletAddress === null) return wallet?.kind === 'internal' ? [] : [TARGET_WALLET];
  if (!parseEvmAddress(request.targetWalletAddress).ok) return [];
  if (wallet?.kind === 'internal') return [];
  if (!wallet?.whitelisted) return [WALLET];
  // Nothing would credit the other account: tokens that we mint are no deposit from outside.
  if (wallet.ofAnotherAccount && isMinted(quote)) return [OTHERS_WALLET];
  return rulesOf(quote.sourceAsset, quote.targetAsset).fxWhitelist && !wallet.fxWhitelisted ? [FX_WALLET] : [];
}

/** The treasury pays dollar tokens as a movement, which names the account that receives them; a mint names none. */
function isMinted({ sourceAsset, targetAsset }: QuoteRecord): boolean {
  const settlement = pairOf(sourceAsset, targetAsset)?.settlement;
  return settlement === 'mint' || settlement === 'vault-deposit';
}

function sourceViolations(
  { sourceWalletAddress }: PlaceOrderPayload,
  quote: QuoteRecord,
  wallet: WalletRelation | null,
): Violation[] {
  if (sourceWalletAddress === null) {
    const { sourceWallet } = rulesOf(quote.sourceAsset, quote.targetAsset);
    return sourceWallet === 'required' || wallet?.kind === 'internal' ? [] : [NO_SOURCE];
  }
  return !parseEvmAddress(sourceWalletAddress).ok || wallet?.kind === 'internal' ? [] : [SOURCE];
}

function pixKeyViolations(
  { targetEndUserPixKey }: PlaceOrderPayload,
  quote: QuoteRecord,
  pixKey: ResolvedPixKey | null,
): Violation[] {
  if (targetEndUserPixKey === null || !rulesOf(quote.sourceAsset, quote.targetAsset).pixKey) return [];
  if (!pixKey) return [KEY_UNKNOWN];
  return pixKey.ownedByHolder ? [] : [KEY_OWNER];
}

/** What a sound acceptance has at hand, its funding taken. */
export interface Accepted {
  readonly orderId: string;
  readonly at: Timestamp;
  readonly quote: QuoteRecord;
  readonly account: AccountRecord;
  readonly wallet: WalletRelation | null;
  readonly sourceWallet: WalletRelation | null;
  readonly pixDelivery: PixDelivery | null;
  readonly funding: Funding;
  /** Account of the caller's key. */
  readonly createdBy: string;
  /** Id of that key, undefined when no API key made the request. */
  readonly createdByApiKey: string | undefined;
}

/** The terms of the order: the quote's, on this account, paid by this funding. */
export function termsOf(
  request: PlaceOrderPayload,
  { orderId, at, quote, account, wallet, sourceWallet, pixDelivery, funding, createdBy, createdByApiKey }: Accepted,
): OrderTerms {
  const { fee, baseRate, spread, iof } = quote.pricing;
  const pair = pairOf(quote.sourceAsset, quote.targetAsset);
  if (!pair) throw new Error('an acceptance without violations has a pair that can be ordered');
  const { settlement } = pair;
  return {
    orderId,
    quoteId: quote.quoteId,
    accountId: account.accountId,
    parentId: account.parentId,
    createdBy,
    ...(createdByApiKey === undefined ? {} : { createdByApiKey }),
    externalId: request.externalId,
    createdAt: at,
    sourceAsset: quote.sourceAsset,
    targetAsset: quote.targetAsset,
    sourceAmount: quote.sourceAmount,
    targetAmount: quote.targetAmount,
    baseRate: baseRate.amount,
    effectiveRate: quote.vet.amount,
    feeAmount: fee.amount,
    feeAsset: fee.asset,
    rateLock: quote.rateLock,
    charges: { spread: spread.amount, fee: fee.amount, tax: iof.amount },
    settlement,
    sourceWalletAddress: sourceWallet?.address ?? null,
    target: wallet && { address: wallet.address, custody: wallet.kind === 'internal' },
    pixDelivery,
    funding,
  };
}

import type {
  AccountRecord, Funding, PixDelivery, PlaceOrderPayload, QuoteRecord, ResolvedPixKey, Timestamp, WalletRelation,
} from '@ponte/contracts';
import { pairOf } from '@ponte/contracts';
import type { Fault } from '@ponte/kernel';
import { isToken, parseEvmAddress } from '@ponte/kernel';
import { EXTERNAL_ID_USED } from '../external-id/external-id';
import type { OrderTerms } from '../order/order';
import { QUOTE_EXPIRED } from '../order/order.refusals';
import { rulesOf } from './pairs';

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
  readonly quoteFaults: readonly Fault[];
  readonly externalIdUsed: boolean;
}

const fault = (code: string, path: string, message: string): Fault => ({ code, path, message });

const ACCESS_DENIED = fault('account-access-denied', '', 'the account is not within reach');
const NOT_ACTIVE = fault('account-not-active', '', 'the account is not active');
const QUOTE_NOT_FOUND = fault('quote-not-found', 'quote-id', 'there is no such quote for this account');
const PAIR = fault('asset-pair-not-supported', 'quote-id', 'these two assets are not converted into each other');
const METHOD = fault('payment-method-not-allowed-for-pair', 'source-payment-method', 'this payment method is not allowed for the pair of the quote');
const PIX_KEY = fault('pix-key-not-allowed-for-pair', 'target-end-user-pix-key', 'a Pix key is for conversions from USDC or BRLV to BRL alone');
const SOURCE_WALLET = fault('source-wallet-required', 'source-wallet-address', 'a token source needs the wallet that holds it');
const TARGET_WALLET = fault('target-wallet-required', 'target-wallet-address', 'the account has no wallet of its own on the chain of the target asset');
const WALLET = fault('wallet-not-allowed', 'target-wallet-address', 'the address is neither a wallet of the account nor whitelisted for it');
const PAY_LATER = fault(
  'pay-after-acceptance-not-enabled', 'source-payment-method', 'the account may not pay for this pair after the acceptance; pay from the balance',
);
const SOURCE = fault('wallet-not-allowed', 'source-wallet-address', 'the source wallet must be a wallet of the account on the chain of the source asset');
const NO_SOURCE = fault('source-wallet-required', 'source-wallet-address', 'the account has no wallet on the chain of the source asset');
const KEY_UNKNOWN = fault('pix-key-not-found', 'target-end-user-pix-key', 'the Pix key is not registered');
const KEY_OWNER = fault('pix-key-tax-id-mismatch', 'target-end-user-pix-key', 'the Pix key belongs to another tax id than the account');
const OTHERS_WALLET = fault(
  'wallet-not-allowed', 'target-wallet-address',
  'the address is the wallet of another account; name a wallet of the account, then transfer the tokens',
);
const FX_WALLET = fault('wallet-not-fx-whitelisted', 'target-wallet-address', 'the address is not whitelisted for FX');

/**
 * Whether the caller, who reaches this account, may use the quote on it: a v1 quote is bound to its account; a v0 quote serves its account
 * and, when it is the caller's own, that account's sub-accounts too. A sub-account does not see what its parent was quoted.
 */
export function isUsable(quote: QuoteRecord, { accountId, callerAccountId }: PlaceOrderPayload, account: AccountRecord | null): boolean {
  switch (quote.scope) {
    case 'account': return quote.accountId === accountId;
    case 'family': return quote.accountId === accountId || (quote.accountId === callerAccountId && account?.parentId === callerAccountId);
  }
}

/** The faults of an acceptance in rule order, as far as the first facts tell them. */
export function firstFaults(request: PlaceOrderPayload, { at, quote, account }: FirstFacts): Fault[] {
  const faults: Fault[] = [];
  if (account && account.accountId !== request.callerAccountId && account.parentId !== request.callerAccountId) return [ACCESS_DENIED];
  if (!quote || !isUsable(quote, request, account)) faults.push(QUOTE_NOT_FOUND);
  if (account?.status !== 'active') faults.push(NOT_ACTIVE);
  return quote && !faults.includes(QUOTE_NOT_FOUND) ? [...faults, ...quoteFaults(request, quote, account, at)] : faults;
}

function quoteFaults(request: PlaceOrderPayload, quote: QuoteRecord, account: AccountRecord | null, at: Timestamp): Fault[] {
  const rules = rulesOf(quote.sourceAsset, quote.targetAsset);
  const faults: Fault[] = [];
  if (at >= quote.expiresAt) faults.push(QUOTE_EXPIRED);
  if (!rules.orderable) faults.push(PAIR);
  if (!rules.paymentMethods.includes(request.sourcePaymentMethod)) faults.push(METHOD);
  else if (request.sourcePaymentMethod === 'brcode' && rules.conversion === 'fx' && !account?.capabilities.includes('pay-after-acceptance')) faults.push(PAY_LATER);
  if (request.targetEndUserPixKey !== null && !rules.pixKey) faults.push(PIX_KEY);
  if (isToken(quote.sourceAsset)) {
    if (request.sourceWalletAddress !== null) faults.push(...addressFaults(request.sourceWalletAddress, 'source-wallet-address'));
    else if (rules.sourceWallet === 'required') faults.push(SOURCE_WALLET);
  }
  if (request.targetWalletAddress !== null) faults.push(...addressFaults(request.targetWalletAddress, 'target-wallet-address'));
  return faults;
}

const NO_ADDRESS = {
  'invalid-address': 'this is not the address of an EVM wallet',
  'bad-address-checksum': 'the address breaks its EIP-55 checksum',
} as const;

function addressFaults(address: string, path: string): Fault[] {
  const parsed = parseEvmAddress(address);
  return parsed.ok ? [] : [fault(parsed.code, path, NO_ADDRESS[parsed.code])];
}

/** The faults that the further facts add, in rule order. */
export function furtherFaults(request: PlaceOrderPayload, quote: QuoteRecord, facts: FurtherFacts): Fault[] {
  const faults = [
    ...(isToken(quote.sourceAsset) ? sourceFaults(request, quote, facts.sourceWallet) : []),
    ...(isToken(quote.targetAsset) ? walletFaults(request, quote, facts.wallet) : []),
    ...pixKeyFaults(request, quote, facts.pixKey),
  ];
  // The members that a quote names are not the order's: what it lacks for this account is a fault of the quote chosen.
  faults.push(...facts.quoteFaults.map((one) => ({ ...one, path: 'quote-id' })));
  if (facts.externalIdUsed) faults.push(EXTERNAL_ID_USED);
  return faults;
}

function walletFaults(request: PlaceOrderPayload, quote: QuoteRecord, wallet: WalletRelation | null): Fault[] {
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

function sourceFaults({ sourceWalletAddress }: PlaceOrderPayload, quote: QuoteRecord, wallet: WalletRelation | null): Fault[] {
  if (sourceWalletAddress === null) {
    const { sourceWallet } = rulesOf(quote.sourceAsset, quote.targetAsset);
    return sourceWallet === 'required' || wallet?.kind === 'internal' ? [] : [NO_SOURCE];
  }
  return !parseEvmAddress(sourceWalletAddress).ok || wallet?.kind === 'internal' ? [] : [SOURCE];
}

function pixKeyFaults({ targetEndUserPixKey }: PlaceOrderPayload, quote: QuoteRecord, pixKey: ResolvedPixKey | null): Fault[] {
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
    orderId, quoteId: quote.quoteId, accountId: account.accountId, parentId: account.parentId, createdBy,
    ...(createdByApiKey === undefined ? {} : { createdByApiKey }), externalId: request.externalId, createdAt: at,
    sourceAsset: quote.sourceAsset, targetAsset: quote.targetAsset, sourceAmount: quote.sourceAmount, targetAmount: quote.targetAmount,
    baseRate: baseRate.amount, effectiveRate: quote.vet.amount, feeAmount: fee.amount, feeAsset: fee.asset, rateLock: quote.rateLock,
    charges: { spread: spread.amount, fee: fee.amount, tax: iof.amount },
    settlement,
    sourceWalletAddress: sourceWallet?.address ?? null,
    target: wallet && { address: wallet.address, custody: wallet.kind === 'internal' },
    pixDelivery,
    funding,
  };
}

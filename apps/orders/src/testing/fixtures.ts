import type { AccountRecord, OrderFilters, PageRequest, PlaceOrderPayload, QuoteRecord } from '@ponte/contracts';
import { addSeconds } from '@ponte/kernel';
import type { SimulatedServices } from './simulated-services';

export const PARTNER = 'partner-1';
export const ACCOUNT = 'account-1';
export const OWN_WALLET = '0x00000000000000000000000000000000000000aa';
export const WHITELISTED = '0x00000000000000000000000000000000000000bb';
export const NO_FILTERS: OrderFilters = {
  state: null,
  quoteId: null,
  sourceAsset: null,
  targetAsset: null,
  externalId: null,
};
export const FIRST_PAGE: PageRequest = { limit: 50, cursor: null, createdFrom: null, createdTo: null };

/** Seconds for which a same-currency quote is valid. */
export const VALID_SECONDS = 900;

export const accountRecord = (accountId: string, parentId: string | null, at: string): AccountRecord => ({
  accountId,
  parentId,
  alias: accountId,
  status: 'active',
  externalId: null,
  onboardingMode: parentId === null ? 'kyc' : null,
  capabilities: [],
  taxIdFingerprint: 'f',
  createdAt: at,
});

export function seedServices(services: SimulatedServices, at: string): void {
  services.accounts.set(PARTNER, accountRecord(PARTNER, null, at));
  services.accounts.set(ACCOUNT, accountRecord(ACCOUNT, PARTNER, at));
  services.balances.set(ACCOUNT, 1_000_00n);
  services.wallets.set(`${ACCOUNT} eth-base `, { kind: 'internal', walletId: 'wallet-1', address: OWN_WALLET });
  services.wallets.set(`${ACCOUNT} eth-base ${WHITELISTED}`, {
    kind: 'external',
    address: WHITELISTED,
    whitelisted: true,
    fxWhitelisted: false,
  });
}

const RATE = { amount: '1.0000000000', base: 'BRLV', quote: 'BRL' };

/** An open quote of BRLV for BRL. */
export const quoteRecord = (quoteId: string, at: string, over: Partial<QuoteRecord> = {}): QuoteRecord => ({
  quoteId,
  accountId: ACCOUNT,
  scope: 'account',
  sourceAsset: 'fiat/brl',
  targetAsset: 'eth-base/brlv',
  sourceAmount: '10.00',
  targetAmount: '10.000000000000000000',
  givenSide: 'source',
  createdAt: at,
  expiresAt: addSeconds(at, VALID_SECONDS),
  offMarketPricing: false,
  vet: RATE,
  pricing: {
    baseRate: RATE,
    spread: { amount: '0.00', asset: 'fiat/brl', bps: 0 },
    fee: { amount: '0.00', asset: 'fiat/brl', kind: 'fixed' },
    iof: { amount: '0.00', asset: 'fiat/brl', applicable: false, basisRef: 'psav-res-521-2025' },
  },
  tradeReason: null,
  rateLock: null,
  state: 'open',
  orderId: null,
  ...over,
});

export function quoted(
  services: SimulatedServices,
  quoteId: string,
  at: string,
  over: Partial<QuoteRecord> = {},
): QuoteRecord {
  const quote = quoteRecord(quoteId, at, over);
  services.quotes.set(quoteId, quote);
  return quote;
}

export const requestFor = (quoteId: string, over: Partial<PlaceOrderPayload> = {}): PlaceOrderPayload => ({
  callerAccountId: ACCOUNT,
  accountId: ACCOUNT,
  quoteId,
  sourceWalletAddress: null,
  targetWalletAddress: null,
  targetEndUserPixKey: null,
  sourcePaymentMethod: 'account-balance',
  externalId: null,
  keyHash: null,
  ...over,
});

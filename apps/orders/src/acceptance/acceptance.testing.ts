import type { AccountRecord, PlaceOrderPayload, QuoteRecord, WalletRelation } from '@ponte/contracts';
import { firstViolations, furtherViolations } from './acceptance.domain';

export const AT = '2026-03-02T12:00:00.000Z';
export const KEY = 'sealed:v1:key:1';
export const ADDRESS = '0x00000000000000000000000000000000000000aa';

/** An acceptance without violations of {@link quote} by {@link account}. */
export const request: PlaceOrderPayload = {
  callerAccountId: 'child',
  accountId: 'child',
  quoteId: 'quote-1',
  sourceWalletAddress: null,
  targetWalletAddress: null,
  targetEndUserPixKey: null,
  sourcePaymentMethod: 'account-balance',
  externalId: null,
};
export const account: AccountRecord = {
  accountId: 'child',
  parentId: 'partner',
  alias: 'child',
  status: 'active',
  externalId: null,
  onboardingMode: null,
  capabilities: [],
  taxIdFingerprint: 'f',
  createdAt: AT,
};
const rate = { amount: '1.0000000000', base: 'BRLV', quote: 'BRL' };
export const quote: QuoteRecord = {
  quoteId: 'quote-1',
  accountId: 'child',
  scope: 'account',
  sourceAsset: 'fiat/brl',
  targetAsset: 'eth-base/brlv',
  sourceAmount: '100.00',
  targetAmount: '100.000000000000000000',
  givenSide: 'source',
  createdAt: AT,
  expiresAt: '2026-03-02T12:15:00.000Z',
  offMarketPricing: false,
  vet: rate,
  pricing: {
    baseRate: rate,
    spread: { amount: '0.00', asset: 'fiat/brl', bps: 0 },
    fee: { amount: '0.00', asset: 'fiat/brl', kind: 'fixed' },
    iof: { amount: '0.00', asset: 'fiat/brl', applicable: false, basisRef: 'psav-res-521-2025' },
  },
  tradeReason: null,
  rateLock: null,
  state: 'open',
  orderId: null,
};
export const internal: WalletRelation = { kind: 'internal', walletId: 'wallet-1', address: ADDRESS };
export const external = (whitelisted: boolean, fxWhitelisted = false): WalletRelation => ({
  kind: 'external',
  address: ADDRESS,
  whitelisted,
  fxWhitelisted,
});

/** The code and path of each violation that is found before wallets and keys are looked up. */
export const first = (
  over: Partial<PlaceOrderPayload>,
  facts: Partial<{ at: string; quote: QuoteRecord | null; account: AccountRecord | null }> = {},
) =>
  firstViolations({ ...request, ...over }, { at: AT, quote, account, ...facts }).map(({ code, path }) => [code, path]);

/** The code and path of each violation that depends on the wallets, the Pix key or the external id. */
export const further = (
  over: Partial<PlaceOrderPayload>,
  facts: Partial<Parameters<typeof furtherViolations>[2]> = {},
  of: Partial<QuoteRecord> = {},
) =>
  furtherViolations(
    { ...request, ...over },
    { ...quote, ...of },
    { wallet: internal, sourceWallet: null, pixKey: null, quoteViolations: [], externalIdUsed: false, ...facts },
  ).map(({ code, path }) => [code, path]);

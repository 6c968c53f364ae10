import type { AccountRecord, PlaceOrderPayload, QuoteRecord, WalletRelation } from '@ponte/contracts';
import { accountRecord, quoteRecord, requestFor } from '../testing/fixtures';
import { firstViolations, furtherViolations } from './acceptance.domain';

export const AT = '2026-03-02T12:00:00.000Z';
export const KEY = 'sealed:v1:key:1';
export const ADDRESS = '0x00000000000000000000000000000000000000aa';

/** An acceptance without violations of {@link quote} by {@link account}. */
export const request = requestFor('quote-1', { callerAccountId: 'child', accountId: 'child' });
export const account = accountRecord('child', 'partner', AT);
export const quote = quoteRecord('quote-1', AT, {
  accountId: 'child',
  sourceAmount: '100.00',
  targetAmount: '100.000000000000000000',
});
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
    {
      ...{ wallet: internal, sourceWallet: null, sourceLacks: false, aboveMaximum: false, pixKey: null },
      lacksContract: false,
      ...{ quoteViolations: [], externalIdUsed: false },
      ...facts,
    },
  ).map(({ code, path }) => [code, path]);

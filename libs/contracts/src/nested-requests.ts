import type { RequestDefinition } from '@ponte/event-sourcing';
import * as ledger from './ledger';
import * as movements from './movements';
import * as onboarding from './onboarding';
import * as orders from './orders';
import * as pricing from './pricing';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any request, whatever its payload
type AnyRequest = RequestDefinition<any, unknown>;

const { GetAccount, GetHolder } = onboarding;

/** What is still open of an account that is being closed. */
const OPEN_WORK: readonly AnyRequest[] = [
  ledger.GetBalance,
  ledger.ListDeposits,
  ledger.ListDueReturns,
  ledger.ListWithdrawals,
  ledger.ListWithdrawalsTo,
  movements.GetAccountWallets,
  movements.ListAllNftTransfers,
  movements.ListAllTransfers,
  movements.ListCertificates,
  movements.ListNftTransfers,
  movements.ListTransfers,
  orders.ListOrders,
];

/** The requests that advancing a deposit makes. */
const ADVANCED_DEPOSIT: readonly AnyRequest[] = [
  GetAccount,
  onboarding.GetAccountStanding,
  onboarding.FreezeAccountAutomatically,
];

const ACCEPTANCE: readonly AnyRequest[] = [
  GetAccount,
  ledger.ClosePixCharge,
  ledger.GetBalance,
  ledger.ListAccountHolds,
  ledger.OpenPixCharge,
  ledger.PlaceHold,
  ledger.ReleaseHold,
  ledger.ResolvePixKey,
  ledger.ReturnChargePayment,
  movements.ResolveWallet,
  pricing.CheckQuoteFor,
  pricing.GetQuote,
];

/**
 * The requests whose handlers make nested requests, with those requests. The handlers of all other requests make none.
 * In the tests of the services, a handler that makes an undeclared nested request fails.
 */
export const NESTED_REQUESTS: readonly (readonly [request: AnyRequest, nested: readonly AnyRequest[]])[] = [
  [ledger.AdvanceWithdrawal, [GetAccount]],
  [ledger.ClosePixCharge, ADVANCED_DEPOSIT],
  [ledger.ConfirmSetAside, ADVANCED_DEPOSIT],
  [ledger.ConfirmSuspenseSettlement, [onboarding.GetAccountStanding, movements.CheckTokenMovement]],
  [ledger.ConfirmUsdDeposit, ADVANCED_DEPOSIT],
  [ledger.CreateWithdrawal, [GetAccount, movements.CheckTokenMovement]],
  [ledger.DecideAddressReview, [...ADVANCED_DEPOSIT, GetHolder]],
  [ledger.OpenPixCharge, [GetAccount]],
  [ledger.ProposeSuspenseSending, [movements.CheckTokenMovement]],
  [ledger.RecordUsdDeposit, [GetAccount, GetHolder]],
  [ledger.RejectUsdDeposit, ADVANCED_DEPOSIT],
  [ledger.RequestSetAside, ADVANCED_DEPOSIT],
  [ledger.ResolvePixKey, [GetAccount]],
  [ledger.ReturnChargePayment, ADVANCED_DEPOSIT],
  [ledger.ReviewWithdrawal, [GetAccount, GetHolder]],
  [ledger.SimulateDeposit, [GetAccount, GetHolder]],
  [ledger.SimulatePixPayment, [GetAccount, GetHolder]],
  [movements.ChangeWalletMetadata, [GetAccount]],
  [movements.CheckTokenMovement, [GetAccount, ledger.ListAccountHolds]],
  [movements.CreateNftTransfer, [GetAccount]],
  [
    movements.CreateTransfer,
    [GetAccount, ledger.GetBalance, ledger.ListAccountHolds, ledger.PlaceHold, ledger.ReleaseHold],
  ],
  [movements.CreateWallet, [GetAccount]],
  [movements.IssueCertificate, [GetAccount, onboarding.GetRewardTier]],
  [movements.RequestSettlement, [ledger.ScreenAddress]],
  [movements.RequestTokenMovement, [GetAccount, ledger.ListAccountHolds]],
  [movements.ResolveWallet, [GetAccount, onboarding.GetWhitelistedWallets, ledger.ListAccountHolds]],
  [onboarding.ConfirmAccountClosing, OPEN_WORK],
  [
    onboarding.ConfirmAccountRelease,
    [ledger.ListAddressMatches, ledger.ListWaitingAddressReviews, ledger.SearchAddressReviews],
  ],
  [onboarding.CreateAccountRequest, [movements.FindHouseAddresses]],
  [onboarding.CreateRelianceRequest, [movements.FindHouseAddresses]],
  [onboarding.ProvideInformation, [movements.FindHouseAddresses]],
  [onboarding.RequestAccountClosing, OPEN_WORK],
  [onboarding.WhitelistWallet, [ledger.ScreenAddress, movements.FindHouseAddresses]],
  [orders.CheckAcceptance, ACCEPTANCE],
  [orders.PlaceOrder, ACCEPTANCE],
  [pricing.CheckQuoteFor, [GetAccount]],
  [pricing.PriceQuote, [GetAccount]],
  [pricing.RequestQuote, [GetAccount]],
];

const NESTED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  NESTED_REQUESTS.map(([{ pattern }, nested]) => [pattern, new Set(nested.map((one) => one.pattern))]),
);

/** Whether {@link NESTED_REQUESTS} lists `nested` for the handler of `request`. Both are patterns. */
export const isDeclaredNested = (request: string, nested: string): boolean => NESTED.get(request)?.has(nested) ?? false;

/**
 * The levels of the requests in a graph of nested requests: 0 for a request whose handler makes none, otherwise one
 * more than the highest level of its nested requests. Throws if nested requests form a cycle, because they could then
 * wait for each other.
 */
export function levelsOf(nested: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  const level = (pattern: string, path: readonly string[]): number => {
    if (path.includes(pattern)) throw new Error(`nested requests form a cycle: ${[...path, pattern].join(', ')}`);
    const known = levels.get(pattern);
    if (known !== undefined) return known;
    const below = [...(nested.get(pattern) ?? [])].map((one) => level(one, [...path, pattern]));
    const found = Math.max(-1, ...below) + 1;
    levels.set(pattern, found);
    return found;
  };
  for (const pattern of nested.keys()) level(pattern, []);
  return levels;
}

const LEVELS = levelsOf(NESTED);

/** The level of the request with this pattern: 0 if its handler makes no nested request. */
export const levelOfRequest = (pattern: string): number => LEVELS.get(pattern) ?? 0;

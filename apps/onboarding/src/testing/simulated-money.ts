import * as contracts from '@ponte/contracts';
import type { MessageBus, PayloadOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money, Unavailable } from '@ponte/kernel';

/** The services that list what an account has in progress. */
const LISTS = [
  contracts.ListOrders,
  contracts.ListDeposits,
  contracts.ListDueReturns,
  contracts.ListWithdrawals,
  contracts.ListTransfers,
  contracts.ListNftTransfers,
  contracts.ListCertificates,
  contracts.ListAllTransfers,
  contracts.ListAllNftTransfers,
  contracts.ListWithdrawalsTo,
] as const;

interface Listed {
  /** The account; of an incoming transfer the address of the wallet. */
  readonly owner: string;
  readonly pattern: string;
  readonly id: string;
  readonly state: string;
}

/** What accounts have in the other services: nothing, unless a test adds it. */
export class SimulatedMoney {
  readonly balances = new Map<string, Partial<Record<AssetId, { running: string; held: string }>>>();
  readonly listed: Listed[] = [];

  /** When addresses of accounts were found on sanctions lists: the reviews, the true matches, and what waits. */
  readonly addressReviews = new Map<string, { heldAt?: string; decidedAt?: string; waiting?: readonly string[] }>();

  /** Whether the ledger does not answer. */
  isDown = false;

  /** Adds an item to the list of a service. */
  add(owner: string, { pattern }: (typeof LISTS)[number], id: string, state: string): void {
    this.listed.push({ owner, pattern, id, state });
  }

  clear(): void {
    this.balances.clear();
    this.addressReviews.clear();
    this.listed.length = 0;
    this.isDown = false;
  }

  /** The address of the account's only wallet. */
  walletOf(accountId: string): string {
    return `wallet of ${accountId}`;
  }

  answerOn(bus: MessageBus): void {
    bus.handle(contracts.GetAccountWallets.pattern, async (payload) => {
      const { accountId } = payload as PayloadOf<typeof contracts.GetAccountWallets>;
      return { wallets: [{ address: this.walletOf(accountId) }] };
    });
    bus.handle(contracts.SearchAddressReviews.pattern, async (payload) => {
      if (this.isDown) throw new Unavailable('service-unavailable');
      const { filters } = payload as PayloadOf<typeof contracts.SearchAddressReviews>;
      const { heldAt } = this.addressReviews.get(filters.accountId ?? '') ?? {};
      return { items: heldAt === undefined ? [] : [{ heldAt }], next: null };
    });
    bus.handle(contracts.ListWaitingAddressReviews.pattern, async (payload) => {
      if (this.isDown) throw new Unavailable('service-unavailable');
      const { accountId } = payload as PayloadOf<typeof contracts.ListWaitingAddressReviews>;
      return { reviewIds: this.addressReviews.get(accountId)?.waiting ?? [] };
    });
    bus.handle(contracts.ListAddressMatches.pattern, async (payload) => {
      if (this.isDown) throw new Unavailable('service-unavailable');
      const { accountId } = payload as PayloadOf<typeof contracts.ListAddressMatches>;
      const { decidedAt } = this.addressReviews.get(accountId) ?? {};
      return decidedAt === undefined ? { matches: [], total: 0 } : { matches: [{ decidedAt }], total: 1 };
    });
    bus.handle(contracts.GetBalance.pattern, async (payload) => {
      const { accountId, assets } = payload as PayloadOf<typeof contracts.GetBalance>;
      if (this.isDown) throw new Unavailable('service-unavailable');
      const asset = assets[0] as AssetId;
      const zero = Money.zero(asset).toString();
      return this.balances.get(accountId)?.[asset] ?? { running: zero, held: zero };
    });
    for (const { pattern } of LISTS)
      bus.handle(pattern, async (payload) => {
        const { accountId, address, state, filters } = payload as {
          accountId?: string | null;
          address?: string;
          state?: string;
          filters?: { state?: string; status?: string; targetAddress?: string };
        };
        const owner = accountId ?? address ?? filters?.targetAddress;
        const isOfReturns = pattern === contracts.ListDueReturns.pattern;
        const wanted = isOfReturns ? 'due' : (state ?? filters?.state ?? filters?.status);
        const found = this.listed.filter(
          (one) => one.pattern === pattern && one.owner === owner && one.state === wanted,
        );
        return { items: found.map(({ id }) => ({ id })), next: null };
      });
  }
}

import { Inject, Injectable } from '@nestjs/common';
import {
  GetAccountWallets,
  GetBalance,
  ListAllNftTransfers,
  ListAllTransfers,
  ListDueReturns,
  ListCertificates,
  ListDeposits,
  ListNftTransfers,
  ListOrders,
  ListTransfers,
  ListWithdrawals,
  ListWithdrawalsTo,
} from '@ponte/contracts';
import type { AmountOf, Page, PageRequest } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { ASSET_IDS } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import type { OpenedAccount } from '../account/account.state';
import { AccountReadModel } from '../account/accounts.read-model';
import { AccountRequests } from '../account-request/account-requests.service';
import { openBalance } from './write-off.domain';

/** The maximum number of ids that are named for each type and state. */
const NAMED = 5;
const page: PageRequest = { limit: NAMED, cursor: null, createdFrom: null, createdTo: null };

type Item = { readonly id: string };

/**
 * Finds what has to end before an account can be closed: balances, movements in progress, transfers and withdrawals of
 * other accounts to its wallets, certificates, and for a partner its sub-accounts. One sentence each; none if the
 * account is empty, except for exactly the balances that the closing writes off. Rejects with `Unavailable` if a
 * service does not answer.
 */
@Injectable()
export class OpenWork {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    private readonly accounts: AccountReadModel,
    private readonly requests: AccountRequests,
  ) {}

  async of(account: OpenedAccount, writeOff: readonly AmountOf[], context: RequestContext): Promise<readonly string[]> {
    const { accountId } = account.terms;
    const found = await Promise.all([
      this.balances(accountId, writeOff, context),
      this.orders(accountId, context),
      this.deposits(accountId, context),
      this.dueReturns(accountId, context),
      this.withdrawals(accountId, context),
      this.transfers(accountId, context),
      this.nftTransfers(accountId, context),
      this.incomingTransfers(accountId, context),
      this.certificates(accountId, context),
      this.subAccounts(accountId),
      this.ownRequest(account),
    ]);
    return found.flat();
  }

  private async balances(accountId: string, writeOff: readonly AmountOf[], context: RequestContext): Promise<string[]> {
    const found = await Promise.all(
      ASSET_IDS.map(async (asset) => {
        const { running, held } = await this.bus.request(GetBalance, { accountId, assets: [asset] }, context);
        return openBalance({ asset, running, held }, writeOff);
      }),
    );
    return found.flat();
  }

  private orders(accountId: string, context: RequestContext): Promise<string[]> {
    const rest = { quoteId: null, sourceAsset: null, targetAsset: null, externalId: null };
    return inStates('order', ['created', 'processing'], (state) =>
      this.bus.request(ListOrders, { accountId, filters: { ...rest, state }, page }, context),
    );
  }

  private deposits(accountId: string, context: RequestContext): Promise<string[]> {
    const rest = { assets: ASSET_IDS, type: null, endToEndId: null, txHash: null };
    return inStates('deposit', ['created', 'confirmed'], (status) =>
      this.bus.request(ListDeposits, { accountId, filters: { ...rest, status }, page }, context),
    );
  }

  /** The closing of the account would end a freeze that blocks them, and send their money out. */
  private dueReturns(accountId: string, context: RequestContext): Promise<string[]> {
    return inStates('return of deposit', ['due'], () =>
      this.bus.request(ListDueReturns, { accountId, limit: NAMED }, context),
    );
  }

  private withdrawals(accountId: string, context: RequestContext): Promise<string[]> {
    const rest = { asset: null, method: null, externalId: null };
    return inStates('withdrawal', ['created', 'processing'], (state) =>
      this.bus.request(ListWithdrawals, { accountId, filters: { ...rest, state }, page }, context),
    );
  }

  private transfers(accountId: string, context: RequestContext): Promise<string[]> {
    const rest = { asset: null, sourceAddress: null, targetAddress: null, txHash: null, externalId: null };
    return inStates('transfer', ['created', 'pending'], (state) =>
      this.bus.request(ListTransfers, { accountId, filters: { ...rest, state }, page }, context),
    );
  }

  private nftTransfers(accountId: string, context: RequestContext): Promise<string[]> {
    const rest = { certificateId: null, sourceAddress: null, targetAddress: null, txHash: null, externalId: null };
    return inStates('NFT transfer', ['created', 'pending'], (state) =>
      this.bus.request(ListNftTransfers, { accountId, filters: { ...rest, state }, page }, context),
    );
  }

  /** Other accounts may still send to a frozen one, and what arrives after the closing is not credited. */
  private async incomingTransfers(accountId: string, context: RequestContext): Promise<string[]> {
    const { wallets } = await this.bus.request(GetAccountWallets, { accountId }, context);
    const addresses = [...new Set(wallets.map(({ address }) => address))];
    const found = await Promise.all(addresses.map((targetAddress) => this.transfersTo(targetAddress, context)));
    return found.flat();
  }

  private async transfersTo(targetAddress: string, context: RequestContext): Promise<string[]> {
    const rest = { targetAddress, sourceAddress: null, txHash: null, externalId: null };
    const found = await Promise.all([
      inStates('incoming transfer', ['created', 'pending'], (state) =>
        this.bus.request(
          ListAllTransfers,
          { accountId: null, filters: { ...rest, asset: null, state }, page },
          context,
        ),
      ),
      inStates('incoming NFT transfer', ['created', 'pending'], (state) =>
        this.bus.request(
          ListAllNftTransfers,
          { accountId: null, filters: { ...rest, certificateId: null, state }, page },
          context,
        ),
      ),
      inStates('incoming withdrawal', ['created', 'processing'], (state) =>
        this.bus.request(ListWithdrawalsTo, { address: targetAddress, state, limit: NAMED }, context),
      ),
    ]);
    return found.flat();
  }

  /** A certificate has a value, and no one could move it out of a closed account. */
  private certificates(accountId: string, context: RequestContext): Promise<string[]> {
    return inStates('reward certificate', ['issued', 'active', 'transferring'], (status) =>
      this.bus.request(ListCertificates, { accountId, filters: { status, walletAddress: null }, page }, context),
    );
  }

  private subAccounts(accountId: string): Promise<string[]> {
    return inStates('sub-account', ['pending', 'provisioning-failed', 'active', 'frozen'], (status) =>
      this.accounts.children(accountId, page, status),
    );
  }

  /** Until its request ends, the account is still being provisioned. */
  private async ownRequest({ terms: { request } }: OpenedAccount): Promise<string[]> {
    if (!request) return [];
    const { status } = await this.requests.load(request.requestId);
    return status === 'active' ? [] : [`account request ${request.requestId} is ${status}`];
  }
}

/** One sentence for each item that a list has in one of the states. */
async function inStates<S extends string>(
  kind: string,
  states: readonly S[],
  list: (state: S) => Promise<Pick<Page<Item>, 'items'>>,
): Promise<string[]> {
  const found = await Promise.all(
    states.map(async (state) => (await list(state)).items.map(({ id }) => `${kind} ${id} is ${state}`)),
  );
  return found.flat();
}

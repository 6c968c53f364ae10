import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type * as contracts from '@ponte/contracts';
import type { AccountListing, AccountRecord, AccountStanding, HolderRecord, Page } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { RequestQuery } from '@ponte/nest';
import { AccountRequests } from '../account-request/account-requests.service';
import { isOpenRequest } from '../account-request/account-request.state';
import { accountRecord, accountStanding, holderRecord, Accounts } from './accounts.service';
import { AccountListings } from './account-listings.service';
import { AccountReadModel } from './accounts.read-model';

export class GetAccountQuery extends RequestQuery<typeof contracts.GetAccount> {}

/** Every request of a partner needs the account, so it is read from the state of the stream in memory. */
@QueryHandler(GetAccountQuery)
export class GetAccountHandler implements IQueryHandler<GetAccountQuery> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ payload: { accountId } }: GetAccountQuery): Promise<AccountRecord | null> {
    const state = await this.accounts.find(accountId);
    return state && accountRecord(state);
  }
}

/** The parent of an account, even while the account is being created. Null if no such account exists. */
export class GetAccountParentQuery extends RequestQuery<typeof contracts.GetAccountParent> {}

/** Always reads both the stream and the read model, so that the time does not reveal whether the account exists. */
@QueryHandler(GetAccountParentQuery)
export class GetAccountParentHandler implements IQueryHandler<GetAccountParentQuery> {
  constructor(
    private readonly accounts: Accounts,
    private readonly readModel: AccountReadModel,
  ) {}

  async execute({
    payload: { accountId },
  }: GetAccountParentQuery): Promise<ReplyOf<typeof contracts.GetAccountParent>> {
    if (!isUuid(accountId)) return null;
    const state = await this.accounts.find(accountId);
    const row = await this.readModel.get(accountId);
    if (state) return { parentId: state.terms.parentId };
    return row ? { parentId: row.parent_id } : null;
  }
}

export class GetHolderQuery extends RequestQuery<typeof contracts.GetHolder> {}

/** Reads the stream, because the read model contains no personal data, not even sealed. */
@QueryHandler(GetHolderQuery)
export class GetHolderHandler implements IQueryHandler<GetHolderQuery> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ payload: { accountId } }: GetHolderQuery): Promise<HolderRecord | null> {
    const state = await this.accounts.find(accountId);
    return state && holderRecord(state);
  }
}

/** The tier at which an account earns rewards: the tier of the request that it came from. */
export class GetRewardTierQuery extends RequestQuery<typeof contracts.GetRewardTier> {}

@QueryHandler(GetRewardTierQuery)
export class GetRewardTierHandler implements IQueryHandler<GetRewardTierQuery> {
  constructor(
    private readonly accounts: Accounts,
    private readonly requests: AccountRequests,
  ) {}

  async execute({ payload: { accountId } }: GetRewardTierQuery): Promise<ReplyOf<typeof contracts.GetRewardTier>> {
    const origin = (await this.accounts.find(accountId))?.terms.request;
    const request = origin && (await this.requests.load(origin.requestId));
    return { rewardTier: request && isOpenRequest(request) ? request.terms.rewardTier : null };
  }
}

export class GetWhitelistedWalletsQuery extends RequestQuery<typeof contracts.GetWhitelistedWallets> {}

/** Orders need this for every address outside our custody, so it is read from the state of the stream in memory. */
@QueryHandler(GetWhitelistedWalletsQuery)
export class GetWhitelistedWalletsHandler implements IQueryHandler<GetWhitelistedWalletsQuery> {
  constructor(private readonly accounts: Accounts) {}

  async execute({
    payload: { accountId },
  }: GetWhitelistedWalletsQuery): Promise<ReplyOf<typeof contracts.GetWhitelistedWallets>> {
    return { wallets: (await this.accounts.find(accountId))?.whitelist ?? [] };
  }
}

export class GetAccountStandingQuery extends RequestQuery<typeof contracts.GetAccountStanding> {}

@QueryHandler(GetAccountStandingQuery)
export class GetAccountStandingHandler implements IQueryHandler<GetAccountStandingQuery> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ payload: { accountId } }: GetAccountStandingQuery): Promise<AccountStanding | null> {
    const state = await this.accounts.find(accountId);
    return state && accountStanding(state);
  }
}

export class GetAccountListingQuery extends RequestQuery<typeof contracts.GetAccountListing> {}

@QueryHandler(GetAccountListingQuery)
export class GetAccountListingHandler implements IQueryHandler<GetAccountListingQuery> {
  constructor(private readonly listings: AccountListings) {}

  execute({ payload: { accountId } }: GetAccountListingQuery): Promise<AccountListing | null> {
    return this.listings.of(accountId);
  }
}

export class ListAllAccountsQuery extends RequestQuery<typeof contracts.ListAllAccounts> {}

@QueryHandler(ListAllAccountsQuery)
export class ListAllAccountsHandler implements IQueryHandler<ListAllAccountsQuery> {
  constructor(private readonly readModel: AccountReadModel) {}

  execute({ payload: { page, onlyPartners } }: ListAllAccountsQuery): Promise<Page<AccountRecord>> {
    return this.readModel.all(page, onlyPartners);
  }
}

export class ListFrozenAccountsQuery extends RequestQuery<typeof contracts.ListFrozenAccounts> {}

@QueryHandler(ListFrozenAccountsQuery)
export class ListFrozenAccountsHandler implements IQueryHandler<ListFrozenAccountsQuery> {
  constructor(
    private readonly readModel: AccountReadModel,
    private readonly accounts: Accounts,
  ) {}

  /** The streams of accounts with a pending step say since when it waits. */
  async execute({ payload: { page } }: ListFrozenAccountsQuery): Promise<Page<AccountRecord>> {
    const { items, next } = await this.readModel.frozen(page);
    const shown = items.map((item) => (item.pendingStep ? this.accounts.recordOf(item.accountId) : item));
    return { items: await Promise.all(shown), next };
  }
}

import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { AccountRecord, AccountStanding, HolderRecord } from '@ponte/contracts';
import type { RewardTier } from '@ponte/kernel';
import { isUuid } from '@ponte/kernel';
import { PayloadQuery } from '@ponte/nest';
import { AccountRequests } from '../account-request/account-requests';
import { isOpenRequest } from '../account-request/account-request.state';
import type { WhitelistEntry } from './account.decider';
import { accountRecord, accountStanding, holderRecord } from './account.record';
import { Accounts } from './accounts';
import { AccountReadModel } from './accounts.read-model';

interface OneAccount {
  readonly accountId: string;
}
interface Parent {
  readonly parentId: string | null;
}
interface Tier {
  readonly rewardTier: RewardTier | null;
}
interface Whitelist {
  readonly wallets: readonly WhitelistEntry[];
}

export class GetAccountQuery extends PayloadQuery<OneAccount, AccountRecord | null> {}

/** Every request of a partner needs the account, so it is read from the stream's state in memory. */
@QueryHandler(GetAccountQuery)
export class GetAccountHandler implements IQueryHandler<GetAccountQuery> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ payload: { accountId } }: GetAccountQuery): Promise<AccountRecord | null> {
    const state = await this.accounts.find(accountId);
    return state && accountRecord(state);
  }
}

/** The parent of an account, also while the account is being created. Null when there is no such account. */
export class GetAccountParentQuery extends PayloadQuery<OneAccount, Parent | null> {}

/** Reads the stream and the view for every account, so that the time does not tell whether the account exists. */
@QueryHandler(GetAccountParentQuery)
export class GetAccountParentHandler implements IQueryHandler<GetAccountParentQuery> {
  constructor(
    private readonly accounts: Accounts,
    private readonly readModel: AccountReadModel,
  ) {}

  async execute({ payload: { accountId } }: GetAccountParentQuery): Promise<Parent | null> {
    if (!isUuid(accountId)) return null;
    const state = await this.accounts.find(accountId);
    const row = await this.readModel.get(accountId);
    if (state) return { parentId: state.terms.parentId };
    return row ? { parentId: row.parent_id } : null;
  }
}

export class GetHolderQuery extends PayloadQuery<OneAccount, HolderRecord | null> {}

/** Reads the stream, because the view contains no personal data, not even sealed. */
@QueryHandler(GetHolderQuery)
export class GetHolderHandler implements IQueryHandler<GetHolderQuery> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ payload: { accountId } }: GetHolderQuery): Promise<HolderRecord | null> {
    const state = await this.accounts.find(accountId);
    return state && holderRecord(state);
  }
}

/** At which tier an account earns rewards: the tier of the request that it came from. */
export class GetRewardTierQuery extends PayloadQuery<OneAccount, Tier> {}

@QueryHandler(GetRewardTierQuery)
export class GetRewardTierHandler implements IQueryHandler<GetRewardTierQuery> {
  constructor(
    private readonly accounts: Accounts,
    private readonly requests: AccountRequests,
  ) {}

  async execute({ payload: { accountId } }: GetRewardTierQuery): Promise<Tier> {
    const origin = (await this.accounts.find(accountId))?.terms.request;
    const request = origin && (await this.requests.load(origin.requestId));
    return { rewardTier: request && isOpenRequest(request) ? request.terms.rewardTier : null };
  }
}

export class GetWhitelistedWalletsQuery extends PayloadQuery<OneAccount, Whitelist> {}

/** Orders need this for every address outside our custody, so it is read from the stream's state in memory. */
@QueryHandler(GetWhitelistedWalletsQuery)
export class GetWhitelistedWalletsHandler implements IQueryHandler<GetWhitelistedWalletsQuery> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ payload: { accountId } }: GetWhitelistedWalletsQuery): Promise<Whitelist> {
    return { wallets: (await this.accounts.find(accountId))?.whitelist ?? [] };
  }
}

export class GetAccountStandingQuery extends PayloadQuery<OneAccount, AccountStanding | null> {}

@QueryHandler(GetAccountStandingQuery)
export class GetAccountStandingHandler implements IQueryHandler<GetAccountStandingQuery> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ payload: { accountId } }: GetAccountStandingQuery): Promise<AccountStanding | null> {
    const state = await this.accounts.find(accountId);
    return state && accountStanding(state);
  }
}

import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import { isUuid } from '@ponte/kernel';
import { AccountRequests } from '../account-request/account-requests';
import { isOpenRequest } from '../account-request/account-request.state';
import { account } from './account.decider';

/** At which tier an account earns rewards: the tier of the request that it came from. */
export class GetRewardTierQuery extends Query<{ rewardTier: RewardTier | null }> {
  constructor(readonly accountId: string) {
    super();
  }
}

@QueryHandler(GetRewardTierQuery)
export class GetRewardTierHandler implements IQueryHandler<GetRewardTierQuery> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly requests: AccountRequests,
  ) {}

  async execute({ accountId }: GetRewardTierQuery): Promise<{ rewardTier: RewardTier | null }> {
    if (!isUuid(accountId)) return { rewardTier: null };
    const { state } = await this.aggregates.load(account, accountId);
    if (state.status === 'absent' || state.terms.request === undefined) return { rewardTier: null };
    const request = await this.requests.load(state.terms.request.requestId);
    return { rewardTier: isOpenRequest(request) ? request.terms.rewardTier : null };
  }
}

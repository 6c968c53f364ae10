import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import {
  CreateWithdrawal,
  GetAnyWithdrawal,
  GetWithdrawal,
  ListAllWithdrawals,
  ListWithdrawalReviews,
  ListWithdrawals,
  PayOutOrder,
  ReviewWithdrawal,
  SettleTokenWithdrawal,
} from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { PayOutOrderCommand } from '../order-payout/pay-out-order.command';
import { SettleTokenWithdrawalCommand } from '../token-withdrawal/settle-token-withdrawal.command';
import { ListWithdrawalReviewsQuery, ReviewWithdrawalCommand } from '../withdrawal-review/review-withdrawal.command';
import { CreateWithdrawalCommand } from './create-withdrawal.command';
import { GetWithdrawalQuery, ListWithdrawalsQuery } from './withdrawals.queries';

/** Withdrawals, their reviews, and the payouts of orders. */
@Controller()
export class WithdrawalMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(CreateWithdrawal.pattern)
  createWithdrawal(
    @Payload() payload: PayloadOf<typeof CreateWithdrawal>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof CreateWithdrawal>> {
    return this.commands.execute(new CreateWithdrawalCommand(payload, context));
  }

  @MessagePattern(GetWithdrawal.pattern)
  getWithdrawal(
    @Payload() { withdrawalId, accountId }: PayloadOf<typeof GetWithdrawal>,
  ): Promise<ReplyOf<typeof GetWithdrawal>> {
    return this.queries.execute(new GetWithdrawalQuery(withdrawalId, accountId));
  }

  @MessagePattern(GetAnyWithdrawal.pattern)
  getAnyWithdrawal(
    @Payload() { withdrawalId }: PayloadOf<typeof GetAnyWithdrawal>,
  ): Promise<ReplyOf<typeof GetAnyWithdrawal>> {
    return this.queries.execute(new GetWithdrawalQuery(withdrawalId, null));
  }

  @MessagePattern(ListWithdrawals.pattern)
  listWithdrawals(@Payload() payload: PayloadOf<typeof ListWithdrawals>): Promise<ReplyOf<typeof ListWithdrawals>> {
    return this.queries.execute(new ListWithdrawalsQuery(payload));
  }

  @MessagePattern(ListAllWithdrawals.pattern)
  listAllWithdrawals(
    @Payload() payload: PayloadOf<typeof ListAllWithdrawals>,
  ): Promise<ReplyOf<typeof ListAllWithdrawals>> {
    return this.queries.execute(new ListWithdrawalsQuery(payload));
  }

  @MessagePattern(ReviewWithdrawal.pattern)
  reviewWithdrawal(
    @Payload() payload: PayloadOf<typeof ReviewWithdrawal>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ReviewWithdrawal>> {
    return this.commands.execute(new ReviewWithdrawalCommand(payload, context));
  }

  @MessagePattern(ListWithdrawalReviews.pattern)
  listWithdrawalReviews(): Promise<ReplyOf<typeof ListWithdrawalReviews>> {
    return this.queries.execute(new ListWithdrawalReviewsQuery());
  }

  @MessagePattern(SettleTokenWithdrawal.pattern)
  settleTokenWithdrawal(
    @Payload() payload: PayloadOf<typeof SettleTokenWithdrawal>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof SettleTokenWithdrawal>> {
    return this.commands.execute(new SettleTokenWithdrawalCommand(payload, context));
  }

  @MessagePattern(PayOutOrder.pattern)
  payOutOrder(
    @Payload() payload: PayloadOf<typeof PayOutOrder>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof PayOutOrder>> {
    return this.commands.execute(new PayOutOrderCommand(payload, context));
  }
}

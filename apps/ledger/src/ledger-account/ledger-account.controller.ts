import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { GetBalance, ListOpenHolds, PlaceHold, PostExchange, ReleaseHold } from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { GetBalanceQuery } from './get-balance.query';
import { ListOpenHoldsQuery } from './list-open-holds.query';
import { PlaceHoldCommand } from './place-hold.command';
import { PostExchangeCommand } from './post-exchange.command';
import { ReleaseHoldCommand } from './release-hold.command';

/** Balances and holds of accounts. */
@Controller()
export class LedgerAccountMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(PlaceHold.pattern)
  placeHold(
    @Payload() payload: PayloadOf<typeof PlaceHold>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof PlaceHold>> {
    return this.commands.execute(new PlaceHoldCommand(payload, context));
  }

  @MessagePattern(ReleaseHold.pattern)
  releaseHold(
    @Payload() payload: PayloadOf<typeof ReleaseHold>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ReleaseHold>> {
    return this.commands.execute(new ReleaseHoldCommand(payload, context));
  }

  @MessagePattern(PostExchange.pattern)
  postExchange(
    @Payload() payload: PayloadOf<typeof PostExchange>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof PostExchange>> {
    return this.commands.execute(new PostExchangeCommand(payload, context));
  }

  @MessagePattern(GetBalance.pattern)
  getBalance(@Payload() payload: PayloadOf<typeof GetBalance>): Promise<ReplyOf<typeof GetBalance>> {
    return this.queries.execute(new GetBalanceQuery(payload));
  }

  @MessagePattern(ListOpenHolds.pattern)
  listOpenHolds(@Payload() payload: PayloadOf<typeof ListOpenHolds>): Promise<ReplyOf<typeof ListOpenHolds>> {
    return this.queries.execute(new ListOpenHoldsQuery(payload));
  }
}

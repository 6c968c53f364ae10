import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { PostTokenMovement, ResolvePixKey } from '@ponte/contracts';
import type { PayloadOf, Recorded, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, policiesOf, typesHandledBy } from '@ponte/nest';
import { ResolvePixKeyQuery } from './key-directory/resolve-pix-key.query';
import { LEDGER_POLICIES } from './ledger.policies';
import { PostTokenMovementCommand } from './token-movement/post-token-movement.command';

/** What the bus brings to this service: the events that its policies follow, and requests of no feature. */
@Controller()
export class LedgerMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(policiesOf('ledger')) private readonly policies: Policies,
  ) {}

  @MessagePattern(ResolvePixKey.pattern)
  resolvePixKey(
    @Payload() payload: PayloadOf<typeof ResolvePixKey>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ResolvePixKey>> {
    return this.queries.execute(new ResolvePixKeyQuery(payload, context));
  }

  @Consumes('onboarding', 'ledger', typesHandledBy(LEDGER_POLICIES))
  onOnboarding(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }

  @MessagePattern(PostTokenMovement.pattern)
  postTokenMovement(
    @Payload() payload: PayloadOf<typeof PostTokenMovement>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof PostTokenMovement>> {
    return this.commands.execute(new PostTokenMovementCommand(payload, context));
  }

  @Consumes('movements', 'ledger', typesHandledBy(LEDGER_POLICIES))
  onMovements(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }

  @Consumes('ledger', 'ledger', typesHandledBy(LEDGER_POLICIES))
  onLedger(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }
}

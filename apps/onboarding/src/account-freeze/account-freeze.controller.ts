import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import * as contracts from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { GetAccountStandingQuery } from '../account/account.queries';
import { AccountReadModel } from '../account/accounts.read-model';
import type { StaffFreezeCommand } from './freeze-account.command';
import { FreezeAccountCommand } from './freeze-account.command';
import { FreezeAutomaticallyCommand } from './freeze-automatically.command';

type Of<D extends keyof typeof contracts> = PayloadOf<(typeof contracts)[D]>;

/** What staff, and the system itself, ask about freezing accounts. */
@Controller()
export class AccountFreezeMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly accounts: AccountReadModel,
  ) {}

  @MessagePattern(contracts.RequestAccountFreeze.pattern)
  requestFreeze(
    @Payload() { accountId, staff, reason, evidence }: Of<'RequestAccountFreeze'>,
    @Ctx() context: RequestContext,
  ) {
    return this.run(accountId, { kind: 'request-freeze', staff, reason, evidence }, context);
  }

  @MessagePattern(contracts.RequestAccountRelease.pattern)
  requestRelease(
    @Payload() { accountId, staff, reason, evidence }: Of<'RequestAccountRelease'>,
    @Ctx() context: RequestContext,
  ) {
    return this.run(accountId, { kind: 'request-release', staff, reason, evidence }, context);
  }

  @MessagePattern(contracts.ConfirmAccountFreeze.pattern)
  confirmFreeze(@Payload() { accountId, staff }: Of<'ConfirmAccountFreeze'>, @Ctx() context: RequestContext) {
    return this.run(accountId, { kind: 'confirm-freeze', staff }, context);
  }

  @MessagePattern(contracts.ConfirmAccountRelease.pattern)
  confirmRelease(@Payload() { accountId, staff }: Of<'ConfirmAccountRelease'>, @Ctx() context: RequestContext) {
    return this.run(accountId, { kind: 'confirm-release', staff }, context);
  }

  @MessagePattern(contracts.CloseFreezeRequest.pattern)
  close(@Payload() { accountId, staff }: Of<'CloseFreezeRequest'>, @Ctx() context: RequestContext) {
    return this.run(accountId, { kind: 'close-freeze-request', staff }, context);
  }

  @MessagePattern(contracts.FreezeAccountAutomatically.pattern)
  freezeAutomatically(@Payload() payload: Of<'FreezeAccountAutomatically'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new FreezeAutomaticallyCommand(payload, context));
  }

  @MessagePattern(contracts.GetAccountStanding.pattern)
  standing(@Payload() payload: Of<'GetAccountStanding'>) {
    return this.queries.execute(new GetAccountStandingQuery(payload));
  }

  @MessagePattern(contracts.ListFrozenAccounts.pattern)
  frozen(@Payload() { page }: Of<'ListFrozenAccounts'>) {
    return this.accounts.frozen(page);
  }

  private run(accountId: string, command: StaffFreezeCommand, context: RequestContext) {
    return this.commands.execute(new FreezeAccountCommand({ accountId, command }, context));
  }
}

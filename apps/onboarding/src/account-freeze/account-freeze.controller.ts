import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import * as contracts from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { forwardRequests } from '@ponte/nest';
import { GetAccountStandingQuery, ListFrozenAccountsQuery } from '../account/account.queries';
import type { StaffFreezeCommand } from './freeze-account.command';
import { FreezeAccountCommand } from './freeze-account.command';
import { FreezeAutomaticallyCommand } from './freeze-automatically.command';
import { OpenAccountStandingCommand } from './open-account-standing.command';

type Of<D extends keyof typeof contracts> = PayloadOf<(typeof contracts)[D]>;

/** Requests of staff and of the system about freezing accounts. */
@Controller()
export class AccountFreezeMessages extends forwardRequests(
  [contracts.FreezeAccountAutomatically, FreezeAutomaticallyCommand],
  [contracts.GetAccountStanding, GetAccountStandingQuery],
  [contracts.OpenAccountStanding, OpenAccountStandingCommand],
  [contracts.ListFrozenAccounts, ListFrozenAccountsQuery],
) {
  @MessagePattern(contracts.RequestAccountFreeze.pattern)
  requestFreeze(@Payload() { accountId, ...step }: Of<'RequestAccountFreeze'>, @Ctx() context: RequestContext) {
    return this.run(accountId, { kind: 'request-freeze', ...step }, context);
  }

  @MessagePattern(contracts.RequestAccountRelease.pattern)
  requestRelease(@Payload() { accountId, ...step }: Of<'RequestAccountRelease'>, @Ctx() context: RequestContext) {
    return this.run(accountId, { kind: 'request-release', ...step }, context);
  }

  @MessagePattern(contracts.ConfirmAccountFreeze.pattern)
  confirmFreeze(@Payload() { accountId, ...step }: Of<'ConfirmAccountFreeze'>, @Ctx() context: RequestContext) {
    return this.run(accountId, { kind: 'confirm-freeze', ...step }, context);
  }

  @MessagePattern(contracts.ConfirmAccountRelease.pattern)
  confirmRelease(@Payload() { accountId, ...step }: Of<'ConfirmAccountRelease'>, @Ctx() context: RequestContext) {
    return this.run(accountId, { kind: 'confirm-release', ...step }, context);
  }

  @MessagePattern(contracts.CloseFreezeRequest.pattern)
  close(@Payload() { accountId, ...step }: Of<'CloseFreezeRequest'>, @Ctx() context: RequestContext) {
    return this.run(accountId, { kind: 'close-freeze-request', ...step }, context);
  }

  private run(accountId: string, command: StaffFreezeCommand, context: RequestContext) {
    return this.commands.execute(new FreezeAccountCommand({ accountId, command }, context));
  }
}

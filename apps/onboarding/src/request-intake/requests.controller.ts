import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import * as contracts from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { CancelAccountRequestCommand } from './cancel-account-request.command';
import { CreateAccountRequestCommand } from './create-account-request.command';
import { CreateRelianceRequestCommand } from './create-reliance-request.command';
import { DecideInSandboxCommand } from '../review/decide-in-sandbox.command';
import { ProvideInformationCommand } from './provide-information.command';
import { RecordLivenessCommand } from '../liveness/record-liveness.command';
import { RegisterEvidenceFileCommand } from '../evidence-file/register-evidence-file.command';
import { GetAccountRequestQuery, ListAccountRequestsQuery } from '../account-request/account-requests.query';

type Of<D extends keyof typeof contracts> = PayloadOf<(typeof contracts)[D]>;

/** What partners and providers ask of account requests. */
@Controller()
export class AccountRequestMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(contracts.CreateAccountRequest.pattern)
  create(@Payload() payload: Of<'CreateAccountRequest'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new CreateAccountRequestCommand(payload, context));
  }

  @MessagePattern(contracts.CreateRelianceRequest.pattern)
  createReliance(@Payload() payload: Of<'CreateRelianceRequest'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new CreateRelianceRequestCommand(payload, context));
  }

  @MessagePattern(contracts.ProvideInformation.pattern)
  provideInformation(@Payload() payload: Of<'ProvideInformation'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new ProvideInformationCommand(payload, context));
  }

  @MessagePattern(contracts.CancelAccountRequest.pattern)
  cancel(@Payload() payload: Of<'CancelAccountRequest'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new CancelAccountRequestCommand(payload, context));
  }

  @MessagePattern(contracts.RegisterEvidenceFile.pattern)
  registerFile(@Payload() payload: Of<'RegisterEvidenceFile'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new RegisterEvidenceFileCommand(payload, context));
  }

  @MessagePattern(contracts.RecordLiveness.pattern)
  recordLiveness(@Payload() payload: Of<'RecordLiveness'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new RecordLivenessCommand(payload, context));
  }

  @MessagePattern(contracts.DecideInSandbox.pattern)
  decideInSandbox(@Payload() payload: Of<'DecideInSandbox'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new DecideInSandboxCommand(payload, context));
  }

  @MessagePattern(contracts.GetAccountRequest.pattern)
  get(@Payload() payload: Of<'GetAccountRequest'>) {
    return this.queries.execute(new GetAccountRequestQuery(payload));
  }

  @MessagePattern(contracts.ListAccountRequests.pattern)
  list(@Payload() payload: Of<'ListAccountRequests'>) {
    return this.queries.execute(new ListAccountRequestsQuery(payload));
  }
}

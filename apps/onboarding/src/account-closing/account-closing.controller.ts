import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { ConfirmAccountClosing, RequestAccountClosing } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { forwardRequests } from '@ponte/nest';
import { CloseAccountCommand } from './close-account.command';

/** Requests of staff about closing accounts. */
@Controller()
export class AccountClosingMessages extends forwardRequests() {
  @MessagePattern(RequestAccountClosing.pattern)
  request(@Payload() { accountId, ...step }: PayloadOf<typeof RequestAccountClosing>, @Ctx() context: RequestContext) {
    const command = { kind: 'request-closing', ...step } as const;
    return this.commands.execute(new CloseAccountCommand({ accountId, command }, context));
  }

  @MessagePattern(ConfirmAccountClosing.pattern)
  confirm(@Payload() { accountId, ...step }: PayloadOf<typeof ConfirmAccountClosing>, @Ctx() context: RequestContext) {
    const command = { kind: 'confirm-closing', ...step } as const;
    return this.commands.execute(new CloseAccountCommand({ accountId, command }, context));
  }
}

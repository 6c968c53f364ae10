import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountRequestRecord, CancelAccountRequest } from '@ponte/contracts';
import { RequestCommand } from '@ponte/nest';
import { AccountRequests } from '../account-request/account-requests.service';

export class CancelAccountRequestCommand extends RequestCommand<typeof CancelAccountRequest> {}

@CommandHandler(CancelAccountRequestCommand)
export class CancelAccountRequestHandler implements ICommandHandler<CancelAccountRequestCommand> {
  constructor(private readonly requests: AccountRequests) {}

  async execute({
    payload: { parentId, requestId },
    context,
  }: CancelAccountRequestCommand): Promise<AccountRequestRecord> {
    await this.requests.ofParent(parentId, requestId);
    return this.requests.record(requestId, (at) => ({ kind: 'cancel', at }), context);
  }
}

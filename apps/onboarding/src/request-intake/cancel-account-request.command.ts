import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { AccountRequestRecord, CancelAccountRequest } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { AccountRequests } from '../account-request/account-requests';

export class CancelAccountRequestCommand extends Command<AccountRequestRecord> {
  constructor(
    readonly payload: PayloadOf<typeof CancelAccountRequest>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

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

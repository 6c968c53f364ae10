import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { HandleTransactionEnd } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { policiesOf, RequestCommand } from '@ponte/nest';

/** Runs the policies of the end of a transaction again, because its event may have been lost. */
export class HandleTransactionEndCommand extends RequestCommand<typeof HandleTransactionEnd> {}

/** The steps of the policies derive their ids from the event, so what was done before is not done again. */
@CommandHandler(HandleTransactionEndCommand)
export class HandleTransactionEndHandler implements ICommandHandler<HandleTransactionEndCommand> {
  constructor(@Inject(policiesOf('ledger')) private readonly policies: Policies) {}

  async execute({ payload: { end } }: HandleTransactionEndCommand): Promise<ReplyOf<typeof HandleTransactionEnd>> {
    await this.policies.dispatch(end);
    return {};
  }
}

import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import { ProvisionAccountCommand } from '../account/provision-account.command';

export class AdvanceRequestCommand extends PayloadCommand<{ readonly requestId: string }> {}

/** Advances a request after nothing happened to it for too long. `DueScreenings` advances those in screening. */
@CommandHandler(AdvanceRequestCommand)
export class AdvanceRequestHandler implements ICommandHandler<AdvanceRequestCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly commands: CommandBus,
  ) {}

  async execute({ payload: { requestId }, context }: AdvanceRequestCommand): Promise<void> {
    const state = await this.requests.load(requestId);
    if (!isOpenRequest(state)) return;
    const own = (command: string): RequestContext => ({
      ...context,
      commandId: derivedId('advance', context.commandId, command),
    });
    switch (state.status) {
      case 'pending':
        return this.pending(state, own);
      case 'provisioning-failed': {
        const { status } = await this.requests.move(
          requestId,
          (at) => ({ kind: 'retry-provisioning', at }),
          own('retry'),
        );
        if (status === 'approved')
          await this.commands.execute(new ProvisionAccountCommand({ requestId }, own('provision')));
        return;
      }
      case 'approved':
        return this.commands.execute(new ProvisionAccountCommand({ requestId }, own('provision')));
      case 'active':
      case 'rejected':
      case 'expired':
      case 'cancelled':
        return;
    }
  }

  private async pending(state: OpenRequest, own: (command: string) => RequestContext): Promise<void> {
    const { requestId } = state.terms;
    switch (state.stage) {
      case 'received':
        await this.requests.handle(requestId, (at) => ({ kind: 'start-screening', at }), own('start-screening'));
        return;
      case 'information-requested':
        await this.requests.handle(requestId, (at) => ({ kind: 'expire', at }), own('expire'));
        return;
      case 'screening':
      case 'manual-review':
      case null:
        return;
    }
  }
}

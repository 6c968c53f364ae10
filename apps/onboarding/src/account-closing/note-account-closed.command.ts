import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { behindEvent } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import { Accounts } from '../account/accounts.service';
import { AccountRequests } from '../account-request/account-requests.service';

/**
 * Tells the request of a closed account, which reserves the person and the external wallets and whose retention period
 * now begins. An account that an operator opened has no request.
 */
export class NoteAccountClosedCommand extends PayloadCommand<{ readonly accountId: string }> {}

@CommandHandler(NoteAccountClosedCommand)
export class NoteAccountClosedHandler implements ICommandHandler<NoteAccountClosedCommand> {
  constructor(
    private readonly accounts: Accounts,
    private readonly requests: AccountRequests,
  ) {}

  async execute({ payload: { accountId }, context }: NoteAccountClosedCommand): Promise<void> {
    const account = await this.accounts.load(accountId);
    // The caller has seen the closing, so an account that is not closed means an old state.
    if (account.status === 'absent' || account.closedAt === null)
      return behindEvent(`account ${accountId}`, account.status);
    const { closedAt, terms } = account;
    if (!terms.request) return;
    const { requestId } = terms.request;
    const request = await this.requests.load(requestId);
    // The account could be closed because its request was active.
    if (request.status !== 'active') return behindEvent(`account request ${requestId}`, request.status);
    await this.requests.execute(requestId, { kind: 'note-account-closed', closedAt }, context);
  }
}

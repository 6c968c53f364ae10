import { Inject, Injectable } from '@nestjs/common';
import type { AccountRequestEvent, AccountRequestRecord } from '@ponte/contracts';
import type { Loaded, Outcome, RequestContext, CommandSource } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { refuse } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import type { AccountRequestCommand } from '../domain/account-request/account-request';
import { accountRequest, openRequest } from '../domain/account-request/account-request';
import { requestRecord } from '../domain/account-request/record';
import type { AccountRequest, OpenRequest } from '../domain/account-request/state';
import { isOpenRequest } from '../domain/account-request/state';
import { AccountRequestsView } from '../views/account-requests';
import { AccountsView } from '../views/accounts';

/** What every command on an account request does: decide, show it in the lists, answer the state. */
@Injectable()
export class AccountRequests {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly view: AccountRequestsView,
    private readonly accounts: AccountsView,
  ) {}

  async load(requestId: string): Promise<AccountRequest> {
    return (await this.loadWithRevision(requestId)).state;
  }

  loadWithRevision(requestId: string): Promise<Loaded<AccountRequest>> {
    return this.aggregates.load(accountRequest, requestId);
  }

  /** As its partner sees it. Refuses `account-request-not-found` of an absent one and of another parent's alike. */
  async ofParent(parentId: string, requestId: string): Promise<OpenRequest> {
    const state = await this.load(requestId);
    return isOpenRequest(state) && state.terms.parentId === parentId
      ? state
      : refuse('account-request-not-found', 'there is no such account request', 'id');
  }

  async handle(
    requestId: string,
    command: CommandSource<AccountRequestCommand>,
    context: RequestContext,
  ): Promise<Outcome<AccountRequest, AccountRequestEvent>> {
    const outcome = await this.aggregates.handle(
      accountRequest,
      requestId,
      command,
      commandContext(context, this.clock),
    );
    if (!isOpenRequest(outcome.state)) return outcome;
    await this.view.show(outcome.state, outcome.revision, context);
    // From the first response on, its parent lists and reads the account.
    if (outcome.replayed || outcome.events.some(({ type }) => type === 'AccountRequested'))
      await this.accounts.showRequest(outcome.state, context);
    return outcome;
  }

  async move(
    requestId: string,
    command: CommandSource<AccountRequestCommand>,
    context: RequestContext,
  ): Promise<OpenRequest> {
    return openRequest((await this.handle(requestId, command, context)).state);
  }

  async record(
    requestId: string,
    command: CommandSource<AccountRequestCommand>,
    context: RequestContext,
  ): Promise<AccountRequestRecord> {
    return requestRecord(await this.move(requestId, command, context));
  }
}

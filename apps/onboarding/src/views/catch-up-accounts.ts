import { Injectable } from '@nestjs/common';
import type { Recorded } from '@ponte/event-sourcing';
import { Aggregates, categoryOf, idOf } from '@ponte/event-sourcing';
import { account } from '../domain/account/account';
import { accountRecord } from '../domain/account/record';
import { accountRequest } from '../domain/account-request/account-request';
import { isOpenRequest } from '../domain/account-request/state';
import { AccountsView } from './accounts';

/** The net under the view: what a crash or a failing view left out is put in from the log. */
@Injectable()
export class CatchUpAccounts {
  static readonly categories = [account.category, accountRequest.category];

  constructor(
    private readonly aggregates: Aggregates,
    private readonly view: AccountsView,
  ) {}

  async apply(events: readonly Recorded[]): Promise<void> {
    for (const stream of new Set(events.map((event) => event.stream))) {
      await (categoryOf(stream) === account.category ? this.account(idOf(stream)) : this.request(idOf(stream)));
    }
  }

  private async account(accountId: string): Promise<void> {
    const { state, revision } = await this.aggregates.load(account, accountId);
    if (state.status !== 'absent') await this.view.put(accountRecord(state), revision, state.terms.request);
  }

  private async request(requestId: string): Promise<void> {
    const { state } = await this.aggregates.load(accountRequest, requestId);
    if (isOpenRequest(state)) await this.view.putRequest(state);
  }
}

import { Injectable } from '@nestjs/common';
import type { Recorded } from '@ponte/event-sourcing';
import { Aggregates, idOf } from '@ponte/event-sourcing';
import { account } from '../domain/account/account';
import { accountRecord } from '../domain/account/record';
import { AccountsView } from './accounts';

/** The net under the view: what a crash or a failing view left out is put in from the log. */
@Injectable()
export class CatchUpAccounts {
  constructor(private readonly aggregates: Aggregates, private readonly view: AccountsView) {}

  async apply(events: readonly Recorded[]): Promise<void> {
    for (const accountId of new Set(events.map(({ stream }) => idOf(stream)))) {
      const { state, revision } = await this.aggregates.load(account, accountId);
      if (state.status !== 'absent') await this.view.put(accountRecord(state), revision);
    }
  }
}

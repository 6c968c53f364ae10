import { Injectable } from '@nestjs/common';
import type { AccountRecord } from '@ponte/contracts';
import type { CommandSource, RequestContext } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { defineRepository } from '@ponte/nest';
import type { AccountCommand } from './account.decider';
import type { OpenedAccount } from './account.state';
import { account } from './account.decider';
import { opened } from './account.state';
import { accountRecord } from './account.record';
import { AccountReadModel } from './accounts.read-model';

/** The streams of accounts. */
@Injectable()
export class Accounts extends defineRepository(account, AccountReadModel) {
  /** Null if no account has this id. A text that is not an id is not looked up. */
  async find(accountId: string): Promise<OpenedAccount | null> {
    const state = isUuid(accountId) ? await this.load(accountId) : null;
    return state === null || state.status === 'absent' ? null : state;
  }

  async recordOf(accountId: string): Promise<AccountRecord> {
    return accountRecord(opened(await this.load(accountId)));
  }

  async record(
    accountId: string,
    command: CommandSource<AccountCommand>,
    context: RequestContext,
  ): Promise<AccountRecord> {
    return accountRecord(opened(await this.execute(accountId, command, context)));
  }
}

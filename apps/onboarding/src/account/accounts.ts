import { Injectable } from '@nestjs/common';
import type { AccountRecord } from '@ponte/contracts';
import type { CommandSource, RequestContext } from '@ponte/event-sourcing';
import { defineRepository } from '@ponte/nest';
import type { AccountCommand } from './account.decider';
import { account, opened } from './account.decider';
import { accountRecord } from './account.record';
import { AccountReadModel } from './accounts.read-model';

/** The streams of accounts. */
@Injectable()
export class Accounts extends defineRepository(account, AccountReadModel) {
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

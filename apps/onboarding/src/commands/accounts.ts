import { Injectable } from '@nestjs/common';
import type { AccountRecord } from '@ponte/contracts';
import type { CommandSource, RequestContext } from '@ponte/event-sourcing';
import { defineRepository } from '@ponte/nest';
import type { AccountCommand } from '../domain/account/account';
import { account, opened } from '../domain/account/account';
import { accountRecord } from '../domain/account/record';
import { AccountReadModel } from '../views/accounts.read-model';

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

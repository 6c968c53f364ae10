import { Inject, Injectable } from '@nestjs/common';
import type { AccountEvent, AccountRecord } from '@ponte/contracts';
import type { Outcome, RequestContext, CommandSource } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import type { Account, AccountCommand } from '../domain/account/account';
import { account, opened } from '../domain/account/account';
import { accountRecord } from '../domain/account/record';
import { AccountsView } from '../views/accounts';

/** What every command on an account does: decide, show it in the list, answer the record. */
@Injectable()
export class Accounts {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly view: AccountsView,
  ) {}

  async load(accountId: string): Promise<Account> {
    return (await this.aggregates.load(account, accountId)).state;
  }

  async handle(
    accountId: string,
    command: CommandSource<AccountCommand>,
    context: RequestContext,
  ): Promise<Outcome<Account, AccountEvent>> {
    const outcome = await this.aggregates.handle(account, accountId, command, commandContext(context, this.clock));
    const state = opened(outcome.state);
    await this.view.show(accountRecord(state), outcome.revision, state.terms.request, context);
    return outcome;
  }

  async recordOf(accountId: string): Promise<AccountRecord> {
    return accountRecord(opened(await this.load(accountId)));
  }

  async record(
    accountId: string,
    command: CommandSource<AccountCommand>,
    context: RequestContext,
  ): Promise<AccountRecord> {
    return accountRecord(opened((await this.handle(accountId, command, context)).state));
  }
}

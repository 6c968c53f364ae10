import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountStanding, OpenAccountStanding } from '@ponte/contracts';
import { RequestCommand } from '@ponte/nest';
import { Accounts } from '../account/accounts.service';
import { StandingViews } from './standing-views.service';

export class OpenAccountStandingCommand extends RequestCommand<typeof OpenAccountStanding> {}

/** Records the view before the evidence is shown. */
@CommandHandler(OpenAccountStandingCommand)
export class OpenAccountStandingHandler implements ICommandHandler<OpenAccountStandingCommand> {
  constructor(
    private readonly accounts: Accounts,
    private readonly views: StandingViews,
  ) {}

  async execute({
    payload: { accountId, staff, purpose, showsReasons = false },
    context,
  }: OpenAccountStandingCommand): Promise<AccountStanding | null> {
    const state = await this.accounts.find(accountId);
    return state && this.views.open(state, { staff, purpose, showsReasons }, context);
  }
}

import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountStanding, AmountOf } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA, PayloadCommand } from '@ponte/nest';
import { Accounts } from '../account/accounts.service';
import type { OpenedAccount } from '../account/account.state';
import { opened } from '../account/account.state';
import { sealedEvidence } from '../account-freeze/seal-evidence';
import { StandingViews } from '../account-freeze/standing-views.service';
import type { ConfirmClosing, RequestClosing } from './closing.domain';
import { OpenWork } from './open-work.service';
import { writeOffOf } from './write-off.domain';

type FromStaff<C> = Omit<C, 'at' | 'openWork'>;
/** The command as sent over the bus, with evidence sealed under the transit subject. */
type StaffClosingCommand = FromStaff<RequestClosing> | FromStaff<ConfirmClosing>;

/** A step by one staff member in closing one account. */
export class CloseAccountCommand extends PayloadCommand<
  { readonly accountId: string; readonly command: StaffClosingCommand },
  AccountStanding
> {}

/**
 * Looks for open work before the step is decided. The account is frozen, so nothing begins between the search and the
 * decision.
 */
@CommandHandler(CloseAccountCommand)
export class CloseAccountHandler implements ICommandHandler<CloseAccountCommand> {
  constructor(
    private readonly accounts: Accounts,
    private readonly openWork: OpenWork,
    private readonly views: StandingViews,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload: { accountId, command }, context }: CloseAccountCommand): Promise<AccountStanding> {
    const account = opened(await this.accounts.load(accountId));
    // A closed account is refused, or shown to the staff member who repeats the confirmation, whatever it has.
    const openWork =
      account.status === 'closed' ? [] : await this.openWork.of(account, writeOffIn(command, account), context);
    const step =
      command.kind === 'request-closing'
        ? { ...command, evidence: await sealedEvidence(this.personalData, account, command.evidence) }
        : command;
    const { state } = await this.accounts.handle(accountId, (at) => ({ ...step, openWork, at }), context);
    return this.views.afterStep(opened(state), command.staff, context);
  }
}

/** What the request writes off, or the one that is confirmed. A decision about any other request is refused later. */
const writeOffIn = (command: StaffClosingCommand, { standing }: OpenedAccount): readonly AmountOf[] =>
  command.kind === 'request-closing' ? writeOffOf(command.writeOff ?? []) : (standing.pending?.writeOff ?? []);

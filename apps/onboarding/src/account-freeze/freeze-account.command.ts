import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountStanding } from '@ponte/contracts';
import type { PersonalData, RequestContext } from '@ponte/event-sourcing';
import { PERSONAL_DATA, PayloadCommand } from '@ponte/nest';
import { Accounts } from '../account/accounts.service';
import type { OpenedAccount } from '../account/account.state';
import { opened } from '../account/account.state';
import type { FreezeCommand } from './freeze-commands.domain';
import { AccountFindings } from '../ongoing-screening/account-findings.service';
import { stopsRelease } from '../ongoing-screening/finding.domain';
import { AddressFindings } from './address-findings.service';
import { sealedEvidence } from './seal-evidence';
import { StandingViews } from './standing-views.service';

type Distributed<C> = C extends { readonly staff: unknown }
  ? Omit<C, 'at' | 'addressFoundAt' | 'isReviewOpen' | 'isFindingCleared'>
  : never;
/** The command as sent over the bus, with evidence sealed under the transit subject. */
export type StaffFreezeCommand = Distributed<FreezeCommand>;

/** A step by one staff member in freezing or releasing one account. */
export class FreezeAccountCommand extends PayloadCommand<
  { readonly accountId: string; readonly command: StaffFreezeCommand },
  AccountStanding
> {}

@CommandHandler(FreezeAccountCommand)
export class FreezeAccountHandler implements ICommandHandler<FreezeAccountCommand> {
  constructor(
    private readonly accounts: Accounts,
    private readonly addresses: AddressFindings,
    private readonly findings: AccountFindings,
    private readonly views: StandingViews,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload: { accountId, command }, context }: FreezeAccountCommand): Promise<AccountStanding> {
    const before = opened(await this.accounts.load(accountId));
    const step = await this.complete(command, before, context);
    const { state } = await this.accounts.handle(accountId, (at) => ({ ...step, at }), context);
    return this.views.afterStep(opened(state), command.staff, context);
  }

  private async complete(command: StaffFreezeCommand, before: OpenedAccount, context: RequestContext) {
    if ('evidence' in command)
      return { ...command, evidence: await sealedEvidence(this.personalData, before, command.evidence) };
    if (command.kind === 'confirm-freeze')
      return { ...command, kind: command.kind, isFindingCleared: await this.findings.isFreezeCleared(before) };
    if (command.kind === 'close-freeze-request') return { ...command, kind: command.kind };
    const { accountId } = before.terms;
    const [addressFoundAt, isAddressOpen, findings] = await Promise.all([
      this.addresses.newest(accountId, context),
      this.addresses.isReviewOpen(accountId, context),
      this.findings.of(before),
    ]);
    const isReviewOpen = isAddressOpen || findings.some(stopsRelease);
    return { ...command, kind: command.kind, addressFoundAt, isReviewOpen };
  }
}

import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountStanding } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA, PayloadCommand } from '@ponte/nest';
import { Accounts, accountStanding } from '../account/accounts';
import { opened } from '../account/account.state';
import type { FreezeCommand } from '../account/freezing.domain';
import { sealedEvidence } from './seal-evidence';

type Distributed<C> = C extends { readonly staff: unknown } ? Omit<C, 'at'> : never;
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
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload: { accountId, command }, context }: FreezeAccountCommand): Promise<AccountStanding> {
    const before = opened(await this.accounts.load(accountId));
    const step =
      'evidence' in command
        ? { ...command, evidence: await sealedEvidence(this.personalData, before, command.evidence) }
        : command;
    const { state } = await this.accounts.handle(accountId, (at) => ({ ...step, at }), context);
    return accountStanding(opened(state));
  }
}

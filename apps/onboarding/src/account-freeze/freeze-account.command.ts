import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountStanding } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { PERSONAL_DATA, PayloadCommand } from '@ponte/nest';
import { Accounts, accountStanding } from '../account/accounts';
import { refusingErased, resealed } from '../person/seal-person';
import type { OpenedAccount } from '../account/account.state';
import { opened } from '../account/account.state';
import type { FreezeCommand } from '../account/freezing.domain';

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
      'evidence' in command ? { ...command, evidence: await this.sealed(before, command.evidence) } : command;
    const { state } = await this.accounts.handle(accountId, (at) => ({ ...step, at }), context);
    return accountStanding(opened(state));
  }
  /**
   * Evidence about a person is sealed under that person, so that it is erased with the person. A repeated request gets
   * the stored evidence, because sealing a text again gives another result.
   */
  private async sealed({ terms, standing: { pending } }: OpenedAccount, evidence: Sealed | null) {
    const sealed = await refusingErased(resealed(this.personalData, terms.holderId, evidence));
    if (sealed === null || !pending?.evidence) return sealed;
    const [text, before] = await Promise.all([sealed, pending.evidence].map((one) => this.personalData.open(one)));
    return text === before ? pending.evidence : sealed;
  }
}

import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountRecord, OpenAccount, OpenAccountPayload } from '@ponte/contracts';
import type { PersonalData, RequestContext, Sealed } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import type { Open } from './account.decider';
import { account } from './account.decider';
import { opened } from './account.state';
import { accountRecord, Accounts } from './accounts.service';
import { mentionOfAccount } from '../person/mentions.domain';
import { Persons } from '../person/persons.service';
import { PersonFindings } from '../screening/person-findings.service';

/** `by`: an operator, who has checked the person elsewhere, or an approved account request. */
export class OpenAccountCommand extends RequestCommand<typeof OpenAccount> {
  constructor(
    payload: OpenAccountPayload,
    context: RequestContext,
    readonly by: 'operator' | 'approved-request' = 'operator',
  ) {
    super(payload, context);
  }
}

@CommandHandler(OpenAccountCommand)
export class OpenAccountHandler implements ICommandHandler<OpenAccountCommand> {
  constructor(
    private readonly accounts: Accounts,
    private readonly findings: PersonFindings,
    private readonly persons: Persons,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload, context, by }: OpenAccountCommand): Promise<AccountRecord> {
    const { bankAccount, ...terms } = payload;
    const command = async (at: string): Promise<Open> => ({
      kind: 'open',
      terms,
      bankAccount,
      parent: terms.parentId === null ? null : await this.accounts.load(terms.parentId),
      at,
    });
    const before = await this.accounts.load(payload.accountId);
    if (by === 'operator' && before.status === 'absent') {
      await this.findings.assertNone(payload.holderId);
      if (payload.parentId !== null) await this.findings.assertNotStopped(payload.holderId);
      // An account that the rules refuse is not noted.
      account.decide(await command(this.persons.now()), before);
      await this.persons.announce(mentionOfAccount(payload), context);
    }
    const { state, events, replayed } = await this.accounts.handle(payload.accountId, command, context);
    const existing = opened(state);
    if (!replayed && events.length === 0) {
      await this.assertSame(payload.legalName, existing.terms.legalName);
      if (bankAccount) {
        if (!existing.bankAccount || existing.bankAccount.bankCode !== bankAccount.bankCode) refuseOther();
        else
          await Promise.all([
            this.assertSame(bankAccount.branch, existing.bankAccount.branch),
            this.assertSame(bankAccount.number, existing.bankAccount.number),
          ]);
      }
    }
    return accountRecord(existing);
  }

  /** The decider sees sealed texts, which differ even if their contents are equal. */
  private async assertSame(wanted: Sealed, existing: Sealed): Promise<void> {
    if ((await this.personalData.open(wanted)) !== (await this.personalData.open(existing))) refuseOther();
  }
}

const refuseOther = (): never =>
  refuse('account-already-exists', 'an account with this id exists with different data', 'account-id');

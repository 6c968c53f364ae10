import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { RecordUsdDepositView } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { Accounts } from '../account/accounts.service';
import { Persons } from './persons.service';

/** Records the view of a USD deposit in the stream of the holder of its account. */
export class RecordUsdDepositViewCommand extends RequestCommand<typeof RecordUsdDepositView> {}

@CommandHandler(RecordUsdDepositViewCommand)
export class RecordUsdDepositViewHandler implements ICommandHandler<RecordUsdDepositViewCommand> {
  constructor(
    private readonly accounts: Accounts,
    private readonly persons: Persons,
  ) {}

  async execute({
    payload: { accountId, staff, purpose },
    context,
  }: RecordUsdDepositViewCommand): Promise<Record<string, never>> {
    const account = await this.accounts.find(accountId);
    if (!account) return refuse('account-not-found', 'there is no such account');
    const view = { staff, purpose, what: 'usd-deposit', requestId: null, fileId: null, note: null } as const;
    await this.persons.view(account.terms.holderId, view, context);
    return {};
  }
}

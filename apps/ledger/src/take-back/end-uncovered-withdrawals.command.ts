import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { derivedId, isToken } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { byPlacement, coverOf } from '../ledger-account/ledger-account.state';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { SendPayout } from '../payouts/send-payout.service';
import { AdvanceWithdrawalCommand } from '../withdrawal/advance-withdrawal.command';

/**
 * Rolls back Pix and TED withdrawals that the bank does not have and that the balance no longer covers, newest first,
 * after the bank took a payment back. The rest stay as they are. May be repeated.
 */
export class EndUncoveredWithdrawalsCommand extends PayloadCommand<{ readonly accountId: string }> {}

@CommandHandler(EndUncoveredWithdrawalsCommand)
export class EndUncoveredWithdrawalsHandler implements ICommandHandler<EndUncoveredWithdrawalsCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly ledgerAccounts: LedgerAccounts,
    private readonly payout: SendPayout,
  ) {}

  /**
   * Handles one withdrawal after the other, because one that is rolled back releases its hold, which may make the
   * balance cover the next one. The holds name all withdrawals, including those that the list does not show yet. A
   * withdrawal that fails does not stop those after it; the first error is thrown at the end. While the bank does not
   * answer, the rest are left to the timer, so that this waits for one timeout only.
   */
  async execute({ payload: { accountId }, context }: EndUncoveredWithdrawalsCommand): Promise<void> {
    const { holds } = await this.ledgerAccounts.load(accountId);
    const newestFirst = holds
      .all()
      .map(([, hold]) => hold)
      .filter(({ owner, asset }) => owner.kind === 'withdrawal' && !isToken(asset))
      .sort((a, b) => byPlacement(b, a));
    const errors: unknown[] = [];
    for (const { owner, asset } of newestFirst) {
      if (coverOf(await this.ledgerAccounts.load(accountId), asset, owner.id) !== 'uncovered') continue;
      const commandId = derivedId('end-uncovered', context.commandId, owner.id);
      const command = new AdvanceWithdrawalCommand({ withdrawalId: owner.id }, { ...context, commandId });
      try {
        if ((await this.payout.isKnown(owner.id, context)) === undefined) break;
        await this.commands.execute(command);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}

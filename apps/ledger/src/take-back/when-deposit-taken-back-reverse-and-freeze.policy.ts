import { Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { DepositVoided } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy, logged } from '@ponte/event-sourcing';
import { LOGGER, Policy } from '@ponte/nest';
import type { Logger } from 'pino';
import { EndUncoveredWithdrawalsCommand } from './end-uncovered-withdrawals.command';
import { SettleTakeBack } from './settle-take-back.service';

/**
 * Takes the money out of the books, freezes the account, and logs an error for operations. Then rolls back the
 * withdrawals that the balance no longer covers, which at the release could be sent.
 */
@Policy(DepositVoided)
export class WhenDepositTakenBackReverseAndFreeze implements IEventHandler<Recorded<DepositVoided>> {
  constructor(
    private readonly takeBack: SettleTakeBack,
    private readonly commands: CommandBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async handle(event: Recorded<DepositVoided>): Promise<void> {
    const { depositId, accountId, reason } = event.data;
    if (reason !== 'taken-back') return;
    this.logger.error({ ...logged(event.meta), depositId, accountId }, 'the bank took a received Pix back');
    await this.takeBack.settle(depositId, accountId, causedBy(event, 'take-back', 'when-deposit-taken-back'));
    if (accountId === null) return;
    const context = causedBy(event, 'end-uncovered-withdrawals', 'when-deposit-taken-back');
    await this.commands.execute(new EndUncoveredWithdrawalsCommand({ accountId }, context));
  }
}

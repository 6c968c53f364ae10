import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { each } from '@ponte/concurrency';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged, safeError } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, ContextCommand, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { OpenHold } from '../trial-balance/trial-balance.read-model';
import { OpenHolds } from '../trial-balance/trial-balance.read-model';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import { AdvanceWithdrawalCommand } from './advance-withdrawal.command';
import { WithdrawalFunds } from './withdrawal-funds.service';
import { created } from './withdrawal.state';
import { WithdrawalReadModel } from './withdrawals.read-model';
import { Withdrawals } from './withdrawals.repository';

/**
 * Resumes withdrawals after a crash, an outage or a slow answer of the bank, and gives back holds whose withdrawal was
 * never created.
 */
export class ResumeWithdrawalsCommand extends ContextCommand {}

const PAGE = 500;
/** The age from which a hold without a withdrawal is given back. Its request ended long before. */
const FORGOTTEN_MS = 5 * 60_000;

@CommandHandler(ResumeWithdrawalsCommand)
export class ResumeWithdrawalsHandler implements ICommandHandler<ResumeWithdrawalsCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly withdrawals: Withdrawals,
    private readonly funds: WithdrawalFunds,
    private readonly readModel: WithdrawalReadModel,
    private readonly holds: OpenHolds,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ context }: ResumeWithdrawalsCommand): Promise<void> {
    const now = this.clock.now();
    // The newest withdrawals are left to their policy.
    const dueBefore = isoTime(now - this.settings.resumeMs);
    for await (const ids of this.readModel.due(dueBefore))
      await each(ids, (withdrawalId) =>
        this.attempt(withdrawalId, context, () =>
          this.commands.execute(new AdvanceWithdrawalCommand({ withdrawalId }, context)),
        ),
      );
    const placedBefore = isoTime(now - FORGOTTEN_MS);
    for (
      let page = await this.holds.page('withdrawal', placedBefore, PAGE);
      page.length > 0;
      page = await this.holds.page('withdrawal', placedBefore, PAGE, page.at(-1))
    ) {
      await each(page, (hold) => this.attempt(hold.owner.id, context, () => this.releaseHold(hold, context)));
    }
  }

  private async releaseHold(
    { holdId, accountId, asset, amount, owner: { id: withdrawalId } }: OpenHold,
    context: RequestContext,
  ): Promise<void> {
    const known = created(await this.withdrawals.load(withdrawalId));
    if (known?.terms.holdId === holdId) {
      if (known.status === 'rolled-back') await this.funds.release(known.terms, 'withdrawal-rolled-back', context);
      return;
    }
    await this.funds.abandon({ withdrawalId, accountId, holdId, asset, amount, externalId: null }, context);
  }

  private async attempt(withdrawalId: string, context: RequestContext, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.error(
        { ...logged(context), withdrawalId, error: safeError(error) },
        'a withdrawal could not be resumed; it will be retried',
      );
    }
  }
}

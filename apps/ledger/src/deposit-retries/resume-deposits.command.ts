import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { each } from '@ponte/concurrency';
import type { PageCursor } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged, safeError } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { DepositReadModel } from './deposits.read-model';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import { AdvanceDepositCommand } from './advance-deposit.command';

/** Resumes deposits and returns that are unfinished after a crash, an outage, or a slow answer of the bank. */
export class ResumeDepositsCommand extends Command<void> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

const PAGE = 200;
/** Deposits beyond this limit are left to the next run. */
const MAX_PAGES = 50;

@CommandHandler(ResumeDepositsCommand)
export class ResumeDepositsHandler implements ICommandHandler<ResumeDepositsCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly readModel: DepositReadModel,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ context }: ResumeDepositsCommand): Promise<void> {
    // The newest deposits are left to their policy.
    const createdTo = isoTime(this.clock.now() - this.settings.resumeMs);
    let cursor: PageCursor | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items, next }: { items: readonly string[]; next: PageCursor | null } = await this.readModel.unfinished({
        limit: PAGE,
        cursor,
        createdFrom: null,
        createdTo,
      });
      await each(items, (depositId) => this.resume(depositId, context));
      if (next === null) return;
      cursor = next;
    }
  }

  private async resume(depositId: string, context: RequestContext): Promise<void> {
    try {
      await this.commands.execute(new AdvanceDepositCommand({ depositId }, context));
    } catch (error) {
      this.logger.error(
        { ...logged(context), depositId, error: safeError(error) },
        'a deposit could not be advanced; it will be retried',
      );
    }
  }
}

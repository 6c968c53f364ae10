import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { each } from '@ponte/concurrency';
import type { PageCursor, Timestamp } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged, safeError } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { DueReturn } from '../returns/unfinished-returns.read-model';
import { UnfinishedReturns } from '../returns/unfinished-returns.read-model';
import { DepositReadModel } from '../deposit/deposits.read-model';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import { AdvanceDepositCommand } from '../deposit/advance-deposit.command';

/** Resumes deposits and returns that are unfinished after a crash, an outage, or a slow answer of the bank. */
export class ResumeDepositsCommand extends Command<void> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

const PAGE = 200;
/** The next run continues where this limit ends a run. */
const MAX_PAGES = 50;

/**
 * Returns come first and without a limit: their money waits for the bank alone. Of the other deposits, very many may
 * wait for staff, such as those of a frozen account, so a run does not always begin at the newest one.
 */
@CommandHandler(ResumeDepositsCommand)
export class ResumeDepositsHandler implements ICommandHandler<ResumeDepositsCommand> {
  private cursor: PageCursor | null = null;

  constructor(
    private readonly commands: CommandBus,
    private readonly readModel: DepositReadModel,
    private readonly returns: UnfinishedReturns,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ context }: ResumeDepositsCommand): Promise<void> {
    // The newest deposits are left to their policy.
    const createdTo = isoTime(this.clock.now() - this.settings.resumeMs);
    const resumed = await this.resumeReturns(createdTo, context);
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items, next } = await this.readModel.unfinished({
        ...{ limit: PAGE, cursor: this.cursor, createdFrom: null, createdTo },
      });
      await each(
        items.filter((depositId) => !resumed.has(depositId)),
        (depositId) => this.resume(depositId, context),
      );
      this.cursor = next;
      if (next === null) return;
    }
  }

  /** Returns the ids of their deposits. */
  private async resumeReturns(before: Timestamp, context: RequestContext): Promise<ReadonlySet<string>> {
    const resumed = new Set<string>();
    for (let after: DueReturn | null = null; ;) {
      const page: readonly DueReturn[] = await this.returns.due(before, after, PAGE);
      await each(page, ({ id }) => this.resume(id, context));
      for (const { id } of page) resumed.add(id);
      after = page.at(-1) ?? null;
      if (page.length < PAGE) return resumed;
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

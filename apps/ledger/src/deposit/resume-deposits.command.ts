import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PageCursor } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { DepositReadModel } from './deposits.read-model';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import { AdvanceDepositCommand } from './advance-deposit.command';
import { each } from '../each';

/** Goes on with deposits and returns that were left, by a crash, by an outage, or by a bank that takes its time. */
export class ResumeDepositsCommand extends Command<void> {
  constructor(readonly context: RequestContext) {
    super();
  }
}

const PAGE = 200;
/** What does not fit comes with the next look. */
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
    // The newest are in the hands of their policy.
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
        { ...logged(context), depositId, failure: error instanceof Error ? error.name : typeof error },
        'a deposit could not be carried on; it is tried again',
      );
    }
  }
}

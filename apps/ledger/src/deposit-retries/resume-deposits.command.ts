import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { each } from '@ponte/concurrency';
import type { PageCursor } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, ContextCommand } from '@ponte/nest';
import { DepositReadModel } from '../deposit/deposits.read-model';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import { UnfinishedReturns } from '../returns/unfinished-returns.read-model';
import { ResumeDeposit } from './resume-deposit.service';

/** Resumes deposits that are unfinished after a crash or an outage. Returns have a timer of their own. */
export class ResumeDepositsCommand extends ContextCommand {}

const PAGE = 200;
/** The next run continues where this limit ends a run. */
const MAX_PAGES = 50;

/**
 * Very many deposits may wait for staff, such as those of a frozen account, so a run does not always begin at the
 * newest one. Returns are left out: while the bank does not answer, each takes as long as its timeouts.
 */
@CommandHandler(ResumeDepositsCommand)
export class ResumeDepositsHandler implements ICommandHandler<ResumeDepositsCommand> {
  private cursor: PageCursor | null = null;

  constructor(
    private readonly readModel: DepositReadModel,
    private readonly returns: UnfinishedReturns,
    private readonly deposit: ResumeDeposit,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
  ) {}

  async execute({ context }: ResumeDepositsCommand): Promise<void> {
    // The newest deposits are left to their policy.
    const createdTo = isoTime(this.clock.now() - this.settings.resumeMs);
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items, next } = await this.readModel.unfinished({
        ...{ limit: PAGE, cursor: this.cursor, createdFrom: null, createdTo },
      });
      const returns = await this.returns.among(items);
      await each(
        items.filter((depositId) => !returns.has(depositId)),
        (depositId) => this.deposit.resume(depositId, context),
      );
      this.cursor = next;
      if (next === null) return;
    }
  }
}

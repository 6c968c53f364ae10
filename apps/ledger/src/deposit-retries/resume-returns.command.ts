import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { each } from '@ponte/concurrency';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, ContextCommand } from '@ponte/nest';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import { UnfinishedReturns } from '../returns/unfinished-returns.read-model';
import { ResumeDeposit } from './resume-deposit.service';

/** Resumes returns that the bank has not finished after a crash, an outage, or a slow answer. */
export class ResumeReturnsCommand extends ContextCommand {}

/** Resumes all returns in every run: their money waits for the bank alone. */
@CommandHandler(ResumeReturnsCommand)
export class ResumeReturnsHandler implements ICommandHandler<ResumeReturnsCommand> {
  constructor(
    private readonly returns: UnfinishedReturns,
    private readonly deposit: ResumeDeposit,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
  ) {}

  async execute({ context }: ResumeReturnsCommand): Promise<void> {
    // The newest returns are left to their policy.
    const before = isoTime(this.clock.now() - this.settings.resumeMs);
    for await (const ids of this.returns.due(before)) await each(ids, (id) => this.deposit.resume(id, context));
  }
}

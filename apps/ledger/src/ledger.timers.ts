import type { OnApplicationBootstrap, Type } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Lease, LeaseGrant } from '@ponte/event-sourcing';
import { safeError, systemContext } from '@ponte/event-sourcing';
import type { Ids } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { ContextCommand, Rewindable } from '@ponte/nest';
import { LeasedJobs, each } from '@ponte/concurrency';
import { IDS, LEASE, LOGGER, REWINDABLE, TIMERS } from '@ponte/nest';
import type { Logger } from 'pino';
import { PollReceivedPixCommand } from './pix-charge/poll-received-pix.command';
import { ReceivePixCommand } from './pix-charge/receive-pix.command';
import { ResumeDepositsCommand } from './deposit-retries/resume-deposits.command';
import { ResumeReturnsCommand } from './deposit-retries/resume-returns.command';
import { BANK_READERS, LEDGER_TIMERS_LEASE } from './bank-readers';
import { BankPolls } from './payouts/bank-polls.service';
import { LEDGER_SETTINGS } from './ledger-settings.port';
import type { LedgerSettings } from './ledger-settings.port';
import { PAYOUT_NOTICES } from './payouts/payouts.port';
import type { PayoutNotices } from './payouts/payouts.port';
import { PollReturnedPaymentsCommand } from './payouts/poll-returned-payments.command';
import { ReceiveReturnedPaymentCommand } from './payouts/receive-returned-payment.command';
import { PIX_NOTICES } from './pix-charge/pix-charges.port';
import type { PixNotices } from './pix-charge/pix-charges.port';
import { CheckRefusedPayoutCommand } from './refused-payout/check-refused-payout.command';
import { CheckRefusedPayoutsCommand } from './refused-payout/check-refused-payouts.command';
import { PollTakenBackPixCommand } from './take-back/poll-taken-back-pix.command';
import { PollReceivedTedsCommand } from './ted-deposit/poll-received-teds.command';
import { AdvanceWithdrawalCommand } from './withdrawal/advance-withdrawal.command';
import { ResumeWithdrawalsCommand } from './withdrawal/resume-withdrawals.command';
import { withdrawalIdOf } from './withdrawal/withdrawal.state';

/** How often a job checks whether the bank's lists have to be read for late entries. */
const LATE_MS = 5 * 60 * 1000;

/** How often refused payouts that are due are checked again. They become due hours and days after the rollback. */
const CHECK_REFUSED_MS = 5 * 60 * 1000;

/** How often the bank is asked whether it still has our address for callbacks. */
const REGISTER_MS = 10 * 60 * 1000;

/** Runs the periodic jobs of this service, on one process at a time, and handles bank callbacks on any process. */
@Injectable()
export class LedgerTimers implements OnApplicationBootstrap {
  private readonly jobs: LeasedJobs;

  constructor(
    private readonly commands: CommandBus,
    @Inject(TIMERS) timers: Timers,
    @Inject(LEASE) lease: Lease,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
    @Inject(PIX_NOTICES) private readonly notices: PixNotices,
    @Inject(REWINDABLE) private readonly rewindable: Rewindable,
    @Inject(PAYOUT_NOTICES) private readonly payoutNotices: PayoutNotices,
    polls: BankPolls,
  ) {
    this.jobs = new LeasedJobs(lease, LEDGER_TIMERS_LEASE, timers, () => polls.forget());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.notices.listen((endToEndIds) => this.receive(endToEndIds));
    this.payoutNotices.listen((paymentIds) => this.onPayoutNotice(paymentIds));
    for (const { name } of BANK_READERS)
      this.rewindable.set(name, {
        keepsTime: true,
        holds: () => this.jobs.holds(),
        // The next poll has another fence, so it starts at the new position.
        rewind: (setBack) => this.jobs.supersede(setBack),
      });
    this.run('ledger-resume-deposits', this.settings.resumeMs, ResumeDepositsCommand);
    this.run('ledger-resume-returns', this.settings.resumeMs, ResumeReturnsCommand);
    this.run('ledger-resume-withdrawals', this.settings.resumeMs, ResumeWithdrawalsCommand);
    this.run('ledger-check-refused-payouts', CHECK_REFUSED_MS, CheckRefusedPayoutsCommand);
    this.every('ledger-register-pix-callbacks', REGISTER_MS, () => this.notices.register());
    this.poll('ledger-poll-received-pix', PollReceivedPixCommand);
    this.poll('ledger-poll-taken-back-pix', PollTakenBackPixCommand);
    this.poll('ledger-poll-received-teds', PollReceivedTedsCommand);
    this.poll('ledger-poll-returned-payments', PollReturnedPaymentsCommand);
  }

  /** A callback that fails is not stored: the next poll of the bank finds the same payments. */
  private async receive(endToEndIds: readonly string[]): Promise<void> {
    try {
      await each(endToEndIds, (endToEndId) =>
        this.commands.execute(new ReceivePixCommand({ endToEndId }, systemContext(this.ids, 'pix-callback'))),
      );
    } catch (error) {
      this.logger.warn(
        { error: safeError(error) },
        'processing a bank callback failed; the next poll of the bank finds the same payments',
      );
    }
  }

  /** A payout notice only triggers reading the payments; its contents are not trusted. Timers cover lost notices. */
  private async onPayoutNotice(paymentIds: readonly string[]): Promise<void> {
    try {
      await each(paymentIds, async (paymentId) => {
        const [withdrawalId, context] = [withdrawalIdOf(paymentId), systemContext(this.ids, 'payout-notice')];
        if (withdrawalId === undefined) return;
        await this.commands.execute(new AdvanceWithdrawalCommand({ withdrawalId }, context));
        await this.commands.execute(new CheckRefusedPayoutCommand({ withdrawalId }, context));
        await this.commands.execute(new ReceiveReturnedPaymentCommand({ paymentId }, context));
      });
    } catch (error) {
      this.logger.warn(
        { error: safeError(error) },
        'processing a payout notice of the bank failed; the next run of the timers reads the same payments',
      );
    }
  }

  /** Polls lists of the bank, and looks for entries that it listed late. */
  private poll(
    name: string,
    Poll: Type<
      PollReceivedPixCommand | PollTakenBackPixCommand | PollReceivedTedsCommand | PollReturnedPaymentsCommand
    >,
  ): void {
    const run = (late: boolean) => (grant: LeaseGrant, job: string) =>
      this.commands.execute(new Poll({ fence: grant.fence, late }, systemContext(this.ids, job)));
    this.every(name, this.settings.pollMs, run(false));
    this.every(`${name}-late`, LATE_MS, run(true));
  }

  private run(name: string, everyMs: number, Run: Type<ContextCommand>): void {
    this.every(name, everyMs, () => this.commands.execute(new Run(systemContext(this.ids, name))));
  }

  private every(name: string, everyMs: number, job: (grant: LeaseGrant, name: string) => Promise<void>): void {
    this.jobs.every({ name, everyMs, run: (grant) => job(grant, name) });
  }
}

import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Lease, LeaseGrant } from '@ponte/event-sourcing';
import type { Ids } from '@ponte/kernel';
import type { Rewindable, Timers } from '@ponte/nest';
import { IDS, LEASE, LOGGER, REWINDABLE, TIMERS, systemContext } from '@ponte/nest';
import type { Logger } from 'pino';
import { each } from './commands/each';
import { PollReceivedPixCommand } from './commands/poll-received-pix';
import { ReceivePixCommand } from './commands/receive-pix';
import { ResumeDepositsCommand } from './commands/resume-deposits';
import { LEDGER_TIMERS_LEASE, RECEIVED_PIX } from './received-pix';
import { LEDGER_SETTINGS } from './ports/ledger-settings';
import type { LedgerSettings } from './ports/ledger-settings';
import { PAYOUT_NOTICES } from './payouts/payouts.port';
import type { PayoutNotices } from './payouts/payouts.port';
import { PollReturnedPaymentsCommand } from './payouts/poll-returned-payments.command';
import { ReceiveReturnedPaymentCommand } from './payouts/receive-returned-payment.command';
import { PIX_NOTICES } from './ports/pix-charges';
import type { PixNotices } from './ports/pix-charges';
import { PollReceivedTedsCommand } from './ted-deposit/receive-ted.command';
import { AdvanceWithdrawalCommand } from './withdrawal/advance-withdrawal.command';
import { ResumeWithdrawalsCommand } from './withdrawal/resume-withdrawals.command';
import { withdrawalIdOf } from './withdrawal/withdrawal.decider';

/** The repeated work of this service, on one process at a time; and the bank's callbacks, wherever they arrive. */
@Injectable()
export class LedgerTimers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopping = new AbortController();
  /** While this process has the lease. */
  private held: LeaseGrant | undefined;
  private waiting: Promise<LeaseGrant | undefined> | undefined;

  constructor(
    private readonly commands: CommandBus,
    @Inject(TIMERS) private readonly timers: Timers,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
    @Inject(PIX_NOTICES) private readonly notices: PixNotices,
    @Inject(REWINDABLE) private readonly rewindable: Rewindable,
    @Inject(PAYOUT_NOTICES) private readonly payoutNotices: PayoutNotices,
  ) {}

  onApplicationBootstrap(): void {
    this.notices.listen((endToEndIds) => this.receive(endToEndIds));
    this.payoutNotices.listen((paymentIds) => this.heardOf(paymentIds));
    this.rewindable.set(RECEIVED_PIX.name, {
      keepsTime: true,
      holds: () => this.holds(),
      rewind: (place) => this.rewind(place),
    });
    this.every('ledger-poll-received-pix', this.settings.pollMs, ({ fence }, name) =>
      this.commands.execute(new PollReceivedPixCommand(systemContext(this.ids, name), fence)),
    );
    this.every('ledger-resume-deposits', this.settings.resumeMs, (_grant, name) =>
      this.commands.execute(new ResumeDepositsCommand(systemContext(this.ids, name))),
    );
    this.every('ledger-resume-withdrawals', this.settings.resumeMs, (_grant, name) =>
      this.commands.execute(new ResumeWithdrawalsCommand(systemContext(this.ids, name))),
    );
    this.every('ledger-poll-received-teds', this.settings.pollMs, ({ fence }, name) =>
      this.commands.execute(new PollReceivedTedsCommand(systemContext(this.ids, name), fence)),
    );
    this.every('ledger-poll-returned-payments', this.settings.pollMs, ({ fence }, name) =>
      this.commands.execute(new PollReturnedPaymentsCommand(systemContext(this.ids, name), fence)),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await (await this.waiting)?.release();
  }

  /** A notice that fails is not stored: the next poll of the bank finds the same payments. */
  private async receive(endToEndIds: readonly string[]): Promise<void> {
    try {
      await each(endToEndIds, (endToEndId) =>
        this.commands.execute(new ReceivePixCommand(endToEndId, systemContext(this.ids, 'pix-callback'))),
      );
    } catch (error) {
      this.logger.warn(
        { failure: error instanceof Error ? error.name : typeof error },
        'a callback of the bank could not be followed; the next look at the bank does it',
      );
    }
  }

  /**
   * What the bank says about payments of ours is a reason to read them. The timers do the same for notices that are
   * lost.
   */
  private async heardOf(paymentIds: readonly string[]): Promise<void> {
    try {
      await each(paymentIds, async (paymentId) => {
        const [withdrawalId, context] = [withdrawalIdOf(paymentId), systemContext(this.ids, 'payout-notice')];
        if (withdrawalId === undefined) return;
        await this.commands.execute(new AdvanceWithdrawalCommand(withdrawalId, context));
        await this.commands.execute(new ReceiveReturnedPaymentCommand(paymentId, context));
      });
    } catch (error) {
      this.logger.warn(
        { failure: error instanceof Error ? error.name : typeof error },
        'a notice of the bank about a payment could not be followed; the next run of the timers does it',
      );
    }
  }

  private every(name: string, milliseconds: number, job: (grant: LeaseGrant, name: string) => Promise<void>): void {
    this.timers.every(name, milliseconds, async (signal) => {
      const grant = await this.granted(AbortSignal.any([signal, this.stopping.signal]));
      if (grant) await job(grant, name);
    });
  }

  /** One lease for both jobs, asked for again once it is lost. */
  private async granted(signal: AbortSignal): Promise<LeaseGrant | undefined> {
    if (signal.aborted) return undefined;
    this.waiting ??= this.lease.acquire(LEDGER_TIMERS_LEASE, signal);
    const grant = await this.waiting;
    this.held = grant && !grant.lost.aborted ? grant : undefined;
    if (this.held) return signal.aborted ? undefined : this.held;
    this.waiting = undefined;
    return undefined;
  }

  private holds(): boolean {
    return this.held !== undefined && !this.held.lost.aborted && !this.stopping.signal.aborted;
  }

  /**
   * Under a fence above this holder's, so that a look which is under way does not write over it; the next turn asks for
   * the lease again.
   */
  private async rewind(place: (fence: number) => Promise<void>): Promise<boolean> {
    const grant = this.held;
    if (!grant || !this.holds()) return false;
    await place(grant.fence + 1);
    [this.held, this.waiting] = [undefined, undefined];
    await grant.release();
    return true;
  }
}

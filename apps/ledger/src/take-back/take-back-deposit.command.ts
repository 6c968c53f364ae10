import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Unavailable, fromIso } from '@ponte/kernel';
import { CLOCK, LOGGER, PayloadCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { SettlementReferences } from '../suspense/settlement-references.repository';
import { SuspenseMetrics } from '../suspense/suspense.metrics';
import { isInSuspense, overtakenProposal } from '../suspense/suspense.domain';
import { SendReturn } from '../deposit/send-return.service';
import type { Deposit } from '../deposit/deposit.state';
import { depositIdOf } from '../deposit/deposit.state';
import { Deposits } from '../deposit/deposits.repository';
import { step } from '../steps';
import { SettleTakeBack } from './settle-take-back.service';

/**
 * For how long a take-back is settled, and a contradicted settlement reported, again. Each process that starts to poll
 * reads all take-backs that the bank still lists, and would otherwise repeat this for as long as the bank lists them.
 */
const REPEATED_MS = 2 * 24 * 60 * 60 * 1000;

/**
 * The bank has taken a received Pix back (MED). This voids the deposit in any state, or posts a loss if the money had
 * been paid back before. Policies of these events do the rest, so a crash in between loses nothing. A voided deposit is
 * also settled here, because its event may be lost. Throws `Unavailable` while it is uncertain whether the bank has
 * executed a return of the payment.
 */
export class TakeBackDepositCommand extends PayloadCommand<{ readonly endToEndId: string }> {}

@CommandHandler(TakeBackDepositCommand)
export class TakeBackDepositHandler implements ICommandHandler<TakeBackDepositCommand> {
  constructor(
    private readonly deposits: Deposits,
    private readonly sendReturn: SendReturn,
    private readonly settlement: SettleTakeBack,
    private readonly references: SettlementReferences,
    private readonly metrics: SuspenseMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ payload: { endToEndId }, context }: TakeBackDepositCommand): Promise<void> {
    const depositId = depositIdOf(endToEndId);
    const before = await this.deposits.load(depositId);
    // The bank does not return the payment that it took back, so it cannot be recorded yet.
    if (before.status === 'none') throw new Unavailable('rail-unavailable');
    await this.sendReturn.ascertain(before, context);
    const state = await this.deposits.execute(
      depositId,
      (now) => ({ kind: 'take-back', now }),
      step(context, 'take-back', depositId),
    );
    await this.settle(state, context);
    if (!isInSuspense(state) || state.suspense.settlement === null) return;
    const overtaken = overtakenProposal(state);
    const referenceClaimed =
      overtaken === null ||
      (await this.references.claimOvertaken(
        overtaken.bankReference,
        { depositId, proposal: overtaken.proposal },
        context,
      ));
    const since = state.doubleReturn?.postedAt ?? state.suspense.settledAt;
    if (since !== null && this.clock.now() - fromIso(since) > REPEATED_MS) return;
    this.metrics.contradicted('taken-back');
    this.logger.error(
      { ...logged(context), depositId, isConfirmed: overtaken === null, referenceClaimed },
      'the bank took a payment back that staff had paid back: staff must handle it',
    );
  }
  /** Safe to do together with the policy: each step takes effect once. */
  private async settle(state: Deposit, context: RequestContext): Promise<void> {
    if (state.status !== 'voided' || state.reason !== 'taken-back') return;
    if (this.clock.now() - fromIso(state.updatedAt) > REPEATED_MS) return;
    await this.settlement.settle(state.facts.depositId, state.facts.accountId, context);
  }
}

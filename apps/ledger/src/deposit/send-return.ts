import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Unavailable, fromIso } from '@ponte/kernel';
import { CLOCK, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Deposit, DepositFacts, Refund } from './deposit.state';
import { mayBeReturnedTwice, refundOf } from './deposit.state';
import type { PixCharges, RailReturn } from '../pix-charge/pix-charges.port';
import { PIX_CHARGES } from '../pix-charge/pix-charges.port';
import { INCOMING_TEDS } from '../ted-deposit/incoming-teds.port';
import type { IncomingTeds } from '../ted-deposit/incoming-teds.port';
import { Deposits } from './deposits.repository';
import { SettlementReferences } from '../suspense/settlement-references.repository';
import { callRepeatable, callOnce } from '../payouts/rail';
import { step } from '../steps';

/** After this time, a request for a return that the bank does not know can no longer reach it. */
const STRAY_REQUEST_MS = 24 * 60 * 60 * 1000;

/** Sends the money of a deposit back to its payer. Every attempt of a return has the same return id. */
@Injectable()
export class SendReturn {
  constructor(
    private readonly deposits: Deposits,
    private readonly references: SettlementReferences,
    @Inject(PIX_CHARGES) private readonly rail: PixCharges,
    @Inject(INCOMING_TEDS) private readonly teds: IncomingTeds,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Makes one attempt. If the bank does not finish or does not answer, the return stays due for the next run. A return
   * that ended because the bank took the payment back is only read.
   */
  async once(facts: DepositFacts, state: Deposit, context: RequestContext): Promise<void> {
    const refund = refundOf(state);
    if (mayBeReturnedTwice(state)) return this.followUp(facts, refund, context);
    if (refund?.state !== 'due') return;
    const { returnId } = refund;
    const answer = await this.ask(facts, returnId, context);
    if (answer) await this.recordOutcome(facts, answer, context);
  }

  /**
   * Notes what the bank did with a return that is due, without requesting it. Throws `Unavailable` while this is not
   * certain.
   */
  async ascertain(state: Deposit, context: RequestContext): Promise<void> {
    const refund = refundOf(state);
    if (state.status === 'none' || refund?.state !== 'due') return;
    const { facts } = state;
    const { endToEndId = null } = facts;
    const found =
      endToEndId === null ? undefined : await callRepeatable(() => this.rail.getReturn(endToEndId, refund.returnId));
    if (found?.status === 'processing') throw new Unavailable('rail-unavailable');
    if (found?.status === 'returned') await this.recordOutcome(facts, found, context);
  }

  /**
   * Reads a return that was due when the bank took the payment back, until the bank has executed it or never will:
   * an attempt that was under way at that time may reach the bank, and be executed, later.
   */
  private async followUp(
    { depositId, endToEndId }: DepositFacts,
    refund: Refund | null,
    context: RequestContext,
  ): Promise<void> {
    if (!refund?.takenBackAt || endToEndId === null) throw new Error(`deposit ${depositId} was not taken back`);
    const { returnId, takenBackAt } = refund;
    const railReturn = await callRepeatable(() => this.rail.getReturn(endToEndId, returnId));
    const isTooLate = this.clock.now() - fromIso(takenBackAt) > STRAY_REQUEST_MS;
    if (railReturn || isTooLate)
      await this.recordOutcome(
        { depositId },
        railReturn ?? { returnId, status: 'not-carried-out', bankReturnId: null },
        context,
      );
  }

  /** A return that the bank still processes is read again in the next run. */
  private async recordOutcome(
    { depositId }: Pick<DepositFacts, 'depositId'>,
    { returnId, status, bankReturnId }: RailReturn,
    context: RequestContext,
  ): Promise<void> {
    if (status === 'processing') return;
    const executed = status === 'returned';
    // Neither of its ids can settle another payment.
    for (const reference of executed ? [returnId, bankReturnId] : [])
      if (reference !== null) await this.references.book(reference, { kind: 'return', id: depositId }, context);
    const note = step(context, 'note-return', returnId, status);
    const after = await this.deposits.execute(
      depositId,
      (now) => ({ kind: 'note-return', returnId, executed, bankReturnId, now }),
      note,
    );
    if (executed || refundOf(after)?.takenBackAt) return;
    const givenUp = refundOf(after)?.state === 'failed';
    this.logger.error(
      { ...logged(context), depositId, returnId, givenUp },
      givenUp
        ? 'the bank refused a return permanently: staff must handle it'
        : 'the bank did not execute a return; it will be retried under a new id',
    );
  }

  private async ask(
    { depositId, endToEndId, amount, type }: DepositFacts,
    returnId: string,
    context: RequestContext,
  ): Promise<RailReturn | undefined> {
    if (endToEndId === null) throw new Error(`deposit ${depositId} of type ${type} cannot be sent back through a bank`);
    try {
      if (type === 'ted')
        return await callOnce(
          () => this.teds.sendBack(endToEndId, returnId, amount),
          () => this.teds.getSentBack(endToEndId, returnId),
        );
      return await callOnce(
        () => this.rail.requestReturn(endToEndId, returnId, amount),
        () => this.rail.getReturn(endToEndId, returnId),
      );
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.logger.warn(
        { ...logged(context), depositId, returnId },
        'the bank did not answer a return request; it will be retried',
      );
      return undefined;
    }
  }
}

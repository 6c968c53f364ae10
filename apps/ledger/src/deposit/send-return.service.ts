import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Unavailable, fromIso } from '@ponte/kernel';
import { CLOCK, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Deposit, DepositFacts, Refund } from './deposit.state';
import { attemptsOf, mayBeReturnedTwice, refundOf } from './deposit.state';
import { idAtBank, isOfPayment } from './deposit-returns.domain';
import type { PixCharges, RailReturn } from '../pix-charge/pix-charges.port';
import { PIX_CHARGES, RailTimedOut, ReturnRefused } from '../pix-charge/pix-charges.port';
import { INCOMING_TEDS } from '../ted-deposit/incoming-teds.port';
import type { IncomingTeds } from '../ted-deposit/incoming-teds.port';
import { Deposits } from './deposits.repository';
import { SettlementReferences } from '../suspense/settlement-references.repository';
import { PayoutContradictions } from '../payouts/payout-contradictions.service';
import { callRepeatable, callOnce } from '../payouts/rail';
import { BlockReturns } from '../returns/block-returns.service';
import { step } from '../steps';

/** After this time, a request for a return that the bank does not know can no longer reach it. */
const STRAY_REQUEST_MS = 24 * 60 * 60 * 1000;

/**
 * An attempt whose requests the bank refuses ends after this time, so that a temporary fault, of the bank or of our
 * request, does not use up the attempts.
 */
const REFUSED_MS = 60 * 60 * 1000;

/** What the bank did with a request for a return. `refused`: it has no such return, see `ReturnRefused`. */
type ReturnAnswer = RailReturn | { readonly returnId: string; readonly status: 'refused'; readonly bankReturnId: null };

/**
 * Sends the money of a deposit back to its payer. All requests of one attempt have the same return id, so the payer is
 * paid once.
 */
@Injectable()
export class SendReturn {
  constructor(
    private readonly deposits: Deposits,
    private readonly references: SettlementReferences,
    private readonly contradictions: PayoutContradictions,
    private readonly blocks: BlockReturns,
    @Inject(PIX_CHARGES) private readonly rail: PixCharges,
    @Inject(INCOMING_TEDS) private readonly teds: IncomingTeds,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Requests the return that is due, once, unless it is blocked. If the bank does not finish or does not answer, it
   * stays due for the next run. Of a return that ended because the bank took the payment back, only the state is read.
   */
  async once(facts: DepositFacts, state: Deposit, context: RequestContext): Promise<void> {
    if (mayBeReturnedTwice(state)) return this.followUp(facts, refundOf(state), context);
    const refund = await this.blocks.returnToRequest(state, () => this.ascertain(state, context), context);
    const answer = refund && (await this.ask(facts, refund, context));
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
    const found = facts.endToEndId === null ? undefined : await this.decisiveAttempt(facts, refund, context);
    if (found?.status === 'processing') throw new Unavailable('rail-unavailable');
    if (found?.status === 'returned') await this.recordOutcome(facts, found, context);
  }

  /**
   * Queries a return that was due when the bank took the payment back, until it is certain that the bank executed it or
   * never will: a request that was on its way at that time may still arrive and be executed.
   */
  private async followUp(facts: DepositFacts, refund: Refund | null, context: RequestContext): Promise<void> {
    if (!refund?.takenBackAt) throw new Error(`deposit ${facts.depositId} was not taken back`);
    const { returnId, takenBackAt } = refund;
    const railReturn = await this.decisiveAttempt(facts, refund, context);
    const isTooLate = this.clock.now() - fromIso(takenBackAt) > STRAY_REQUEST_MS;
    if (railReturn || isTooLate)
      await this.recordOutcome(
        facts,
        railReturn ?? { returnId, status: 'not-carried-out', amount: null, bankReturnId: null },
        context,
      );
  }

  /** Records nothing while the bank still processes the return: the next run queries it again. */
  private async recordOutcome(
    { depositId }: Pick<DepositFacts, 'depositId'>,
    { returnId, status, bankReturnId }: RailReturn,
    context: RequestContext,
  ): Promise<void> {
    if (status === 'processing') return;
    const executed = status === 'returned';
    // Neither of the return's ids may be used to settle another payment.
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

  private async ask(facts: DepositFacts, refund: Refund, context: RequestContext): Promise<RailReturn | undefined> {
    const [{ depositId }, { returnId }] = [facts, refund];
    try {
      const answer = await callOnce<ReturnAnswer>(
        () => this.request(facts, returnId),
        () => this.read(facts, returnId, context),
      );
      return answer.status === 'processing' || answer.status === 'returned'
        ? answer
        : await this.afterNonExecution(facts, refund, answer, context);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.logger.warn(
        { ...logged(context), depositId, returnId },
        'the bank did not answer a request for a return; the request will be repeated',
      );
      return undefined;
    }
  }

  /**
   * Called when the bank did not execute the current attempt. Returns an earlier attempt that the bank has executed
   * after all; the failed attempt if it is over; undefined while the attempt stays due.
   */
  private async afterNonExecution(
    facts: DepositFacts,
    refund: Refund,
    answer: ReturnAnswer,
    context: RequestContext,
  ): Promise<RailReturn | undefined> {
    const { returnId, attemptedFrom = refund.requestedAt } = refund;
    const known = await this.decisiveAttempt(facts, refund, context);
    if (known && known.status !== 'not-carried-out') return known;
    const isOver = answer.status !== 'refused' || this.clock.now() - fromIso(attemptedFrom) >= REFUSED_MS;
    if (isOver) return { returnId, status: 'not-carried-out', amount: null, bankReturnId: null };
    this.logger.warn(
      { ...logged(context), depositId: facts.depositId, returnId },
      'the bank refused a request for a return; the request will be repeated',
    );
    return undefined;
  }

  private async request(facts: DepositFacts, returnId: string): Promise<ReturnAnswer> {
    const [endToEndId, { amount, type }] = [idAtBank(facts), facts];
    try {
      const answer = await (type === 'ted'
        ? this.teds.sendBack(endToEndId, returnId, amount)
        : this.rail.requestReturn(endToEndId, returnId, amount));
      // The return is then queried, and reported if the bank still has it with a different amount.
      if (!isOfPayment(answer, facts)) throw new RailTimedOut('requestReturn');
      return answer;
    } catch (error) {
      if (error instanceof ReturnRefused) return { returnId, status: 'refused', bankReturnId: null };
      throw error;
    }
  }

  /** The attempt that the bank has executed or may still execute; otherwise the latest one as the bank reports it. */
  private async decisiveAttempt(
    facts: DepositFacts,
    refund: Refund,
    context: RequestContext,
  ): Promise<RailReturn | undefined> {
    let found: RailReturn | undefined;
    for (const returnId of attemptsOf(facts.depositId, refund)) {
      found = await callRepeatable(() => this.read(facts, returnId, context));
      if (found && found.status !== 'not-carried-out') return found;
    }
    return found;
  }

  /** A return with a different amount from the payment is reported, and is no answer: throws `RailTimedOut`. */
  private async read(facts: DepositFacts, returnId: string, context: RequestContext): Promise<RailReturn | undefined> {
    const endToEndId = idAtBank(facts);
    const found = await (facts.type === 'ted'
      ? this.teds.getSentBack(endToEndId, returnId)
      : this.rail.getReturn(endToEndId, returnId));
    if (!found || isOfPayment(found, facts)) return found;
    this.contradictions.report('sent-back-amount', { depositId: facts.depositId, returnId, endToEndId }, context);
    throw new RailTimedOut('getReturn');
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { BookedPayment } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import { LOGGER, defineRepository } from '@ponte/nest';
import type { Logger } from 'pino';
import { depositIdOf } from '../deposit/deposit.state';
import { Deposits } from '../deposit/deposits.repository';
import { DepositReadModel } from '../deposit/deposits.read-model';
import { step } from '../steps';
import type { Claim } from './settlement-reference.decider';
import {
  refuseBookedReference,
  refuseUsedReference,
  settlementReference,
  settlementReferenceId,
} from './settlement-reference.decider';
import { isDead } from './suspense.domain';
import { SuspenseMetrics } from './suspense.metrics';

/** The streams of settlement references. */
@Injectable()
export class SettlementReferenceStreams extends defineRepository(settlementReference) {}

/** Ensures that a payment at the bank settles at most one deposit, and that a payment that Ponte made settles none. */
@Injectable()
export class SettlementReferences {
  constructor(
    private readonly references: SettlementReferenceStreams,
    private readonly deposits: Deposits,
    private readonly received: DepositReadModel,
    private readonly metrics: SuspenseMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Refuses a reference that {@link claim} would refuse. This is an early check; only {@link claim} decides. */
  async assertFree(bankReference: string, depositId: string): Promise<void> {
    await this.assertNotReceived(bankReference);
    const { claim, payment } = await this.references.load(settlementReferenceId(bankReference));
    if (payment) refuseBookedReference();
    if (claim !== null && claim.depositId !== depositId && !(await this.isDeadClaim(claim))) refuseUsedReference();
  }

  /** Claims a reference for a proposal. Repeating it changes nothing. */
  async claim(bankReference: string, claim: Claim, context: RequestContext): Promise<void> {
    await this.assertNotReceived(bankReference);
    const referenceId = settlementReferenceId(bankReference);
    const { claim: earlier } = await this.references.load(referenceId);
    const dead = earlier !== null && (await this.isDeadClaim(earlier)) ? earlier : null;
    await this.references.execute(
      referenceId,
      (now) => ({ kind: 'claim', claim, dead, now }),
      step(context, 'claim-settlement-reference', referenceId, claim.depositId, String(claim.proposal)),
    );
  }

  /**
   * Claims the reference of a payment that left although the bank took the deposit back, so that it settles no other
   * deposit. False if another deposit or a payment of Ponte has it already.
   */
  async claimOvertaken(bankReference: string, claim: Claim, context: RequestContext): Promise<boolean> {
    try {
      await this.claim(bankReference, claim, context);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  /**
   * Records the reference of a payment that Ponte made, so that it settles nothing. Repeating it changes nothing. A
   * reference that belongs to another payment stays there and is reported: the bank gave it twice.
   */
  async book(bankReference: string, payment: BookedPayment, context: RequestContext): Promise<void> {
    const referenceId = settlementReferenceId(bankReference);
    const { claim, payment: owner } = await this.references.execute(
      referenceId,
      (now) => ({ kind: 'book', payment, now }),
      step(context, 'book-settlement-reference', referenceId, payment.kind, payment.id),
    );
    if (owner && (owner.kind !== payment.kind || owner.id !== payment.id)) {
      this.metrics.referenceReused();
      this.logger.error(
        { ...logged(context), bankReference, owner, payment },
        'the bank gave two payments the same reference: staff must compare them with its statement',
      );
    }
    if (claim === null || (await this.isDeadClaim(claim))) return;
    this.metrics.contradicted('payment-booked');
    this.logger.error(
      { ...logged(context), depositId: claim.depositId, payment },
      'a settlement names a payment that Ponte made: staff must handle it',
    );
  }

  /**
   * A received payment has a deposit whose id derives from its reference. The list of deposits finds it if the
   * reference is typed in another case, or with other leading zeros.
   */
  private async assertNotReceived(bankReference: string): Promise<void> {
    const isReceived = (await this.deposits.load(depositIdOf(bankReference))).status !== 'none';
    if (isReceived || (await this.received.hasReceived(bankReference))) refuseBookedReference();
  }

  private async isDeadClaim({ depositId, proposal }: Claim): Promise<boolean> {
    return isDead(await this.deposits.load(depositId), proposal);
  }
}

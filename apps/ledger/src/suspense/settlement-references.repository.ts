import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import { defineRepository } from '@ponte/nest';
import { Deposits } from '../deposit/deposits.repository';
import { step } from '../steps';
import type { Claim } from './settlement-reference.decider';
import { refuseUsedReference, settlementReference, settlementReferenceId } from './settlement-reference.decider';
import { isDead } from './suspense.domain';

/** The streams of settlement references. */
@Injectable()
export class SettlementReferenceStreams extends defineRepository(settlementReference) {}

/** Makes sure that one payment at the bank settles one deposit. */
@Injectable()
export class SettlementReferences {
  constructor(
    private readonly references: SettlementReferenceStreams,
    private readonly deposits: Deposits,
  ) {}

  /** Refuses a reference that another deposit has claimed. Only {@link claim} decides; this one answers early. */
  async assertFree(bankReference: string, depositId: string): Promise<void> {
    const { claim } = await this.references.load(settlementReferenceId(bankReference));
    if (claim !== null && claim.depositId !== depositId && !(await this.isDeadClaim(claim))) refuseUsedReference();
  }

  /** Claims a reference for a proposal. Repeating it changes nothing. */
  async claim(bankReference: string, claim: Claim, context: RequestContext): Promise<void> {
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
   * deposit. False if another deposit has it already.
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

  private async isDeadClaim({ depositId, proposal }: Claim): Promise<boolean> {
    return isDead(await this.deposits.load(depositId), proposal);
  }
}

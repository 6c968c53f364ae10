import { Injectable } from '@nestjs/common';
import type { StandingStep, Timestamp } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { account } from '../account/account.decider';

/**
 * Freezes, releases and closings that wait for their second staff member. They are not columns of the list of accounts:
 * a new version of that list would be incomplete for partners and for screening until it is built.
 */
@Injectable()
export class PendingSteps extends defineReadModel({
  table: 'onboarding_pending_steps',
  reader: 'onboarding-pending-steps',
  of: account,
  columns: {
    // Both are null while nothing is pending.
    step: 'text?',
    requested_at: 'text?',
  },
  indices: [['requested_at']],
  rows: ({ id, state, revision }) => {
    if (state.status === 'absent' || state.standing.requests === 0) return undefined;
    const { pending } = state.standing;
    return {
      ...{ id, revision, created_at: state.terms.openedAt },
      ...{ step: pending?.step ?? null, requested_at: pending?.requestedAt ?? null },
    };
  },
}) {
  /** When the oldest pending request for each step was made. Steps without one are absent. */
  async oldest(): Promise<ReadonlyMap<StandingStep, Timestamp>> {
    const rows = await this.table.rows
      .where('requested_at', 'is not', null)
      .groupBy('step')
      .select(({ fn }) => ['step', fn.min('requested_at').as('since')])
      .execute();
    return new Map(rows.map(({ step, since }) => [step as StandingStep, since as Timestamp]));
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { dueAt } from '../domain/account-request/due';
import { isForFourEyes } from '../domain/account-request/four-eyes';
import type { OpenRequest } from '../domain/account-request/state';
import type { AccountRequestRow, AccountRequestsTable } from '../ports/account-requests-table';
import { ACCOUNT_REQUESTS_TABLE } from '../ports/account-requests-table';

/** The list of account requests. It holds nothing that the streams do not, so it may be lost and filled again. */
@Injectable()
export class AccountRequestsView {
  constructor(
    @Inject(ACCOUNT_REQUESTS_TABLE) private readonly table: AccountRequestsTable,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws when the table does not answer; the catch-up projector tries again. */
  async put(state: OpenRequest, revision: number): Promise<void> {
    await this.table.put(accountRequestRow(state, revision));
  }

  /**
   * Shows an accepted command in the lists before it is answered. A view that fails takes nothing back: the projector
   * repairs it.
   */
  async show(state: OpenRequest, revision: number, context: RequestContext): Promise<void> {
    try {
      await this.put(state, revision);
    } catch (error) {
      const reason = error instanceof Error ? error.name : typeof error;
      this.logger.error(
        { ...logged(context), requestId: state.terms.requestId, reason },
        'an account request did not reach its view; the catch-up brings it',
      );
    }
  }
}

/** The row of a request at a revision of its stream. */
export const accountRequestRow = (state: OpenRequest, revision: number): AccountRequestRow => ({
  id: state.terms.requestId,
  revision,
  created_at: state.terms.requestedAt,
  parent_id: state.terms.parentId,
  account_id: state.terms.accountId,
  mode: state.terms.mode,
  status: state.status,
  stage: state.stage,
  reward_tier: String(state.terms.rewardTier),
  country: state.terms.details.holder.country,
  causes: state.causes,
  four_eyes: isForFourEyes(state),
  approvals: state.approvals.length,
  escalated: state.escalated,
  assigned_to: state.assignedTo,
  external_id: state.terms.externalId,
  status_updated_at: state.statusUpdatedAt,
  stage_since: state.since,
  information_due_at: state.information?.dueAt ?? null,
  due_at: dueAt(state),
});

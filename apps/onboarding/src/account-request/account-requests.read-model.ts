import { Inject, Injectable } from '@nestjs/common';
import type { RowOf } from '@ponte/nest';
import { defineReadModel, READ_MODELS } from '@ponte/nest';
import type { Shown } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { accountRequest } from './account-request.decider';
import { dueAt } from './due.domain';
import { needsTwoApprovers } from './four-eyes.domain';
import type { AccountRequest } from './account-request.state';
import { isOpenRequest } from './account-request.state';
import { AccountReadModel } from '../account/accounts.read-model';

/** Account requests. The indices serve the partner's list, the queue with its filters, and the timers. */
@Injectable()
export class AccountRequestReadModel extends defineReadModel({
  table: 'onboarding_account_requests',
  reader: 'onboarding-requests',
  of: accountRequest,
  columns: {
    parent_id: 'text',
    account_id: 'text',
    mode: 'text',
    status: 'text',
    stage: 'text?',
    reward_tier: 'text',
    country: 'text',
    causes: 'json',
    four_eyes: 'boolean',
    approvals: 'integer',
    escalated: 'boolean',
    assigned_to: 'text?',
    external_id: 'text?',
    status_updated_at: 'text',
    stage_since: 'text',
    information_due_at: 'text?',
    due_at: 'text?',
  },
  indices: [[], ['parent_id'], ['status'], ['stage'], ['assigned_to'], ['due_at']],
  rows: ({ state, revision }) => {
    if (!isOpenRequest(state)) return undefined;
    return {
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
      four_eyes: needsTwoApprovers(state),
      approvals: state.approvals.length,
      escalated: state.escalated,
      assigned_to: state.assignedTo,
      external_id: state.terms.externalId,
      status_updated_at: state.statusUpdatedAt,
      stage_since: state.since,
      information_due_at: state.information?.dueAt ?? null,
      due_at: dueAt(state),
    };
  },
}) {
  constructor(
    @Inject(READ_MODELS) readModels: Kysely<unknown>,
    private readonly accounts: AccountReadModel,
  ) {
    super(readModels);
  }

  /** Also writes the row of the account, so that the partner sees the account from the first response on. */
  override async show(shown: Shown<AccountRequest>): Promise<void> {
    await super.show(shown);
    if (isOpenRequest(shown.state)) await this.accounts.showRequest(shown.state);
  }
}

/** An account request for the queue, the partner's list and the timers: no personal data, not even sealed. */
export type AccountRequestRow = RowOf<typeof AccountRequestReadModel>;

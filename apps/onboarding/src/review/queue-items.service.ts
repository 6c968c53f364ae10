import { Injectable } from '@nestjs/common';
import type { CaseItem, QueueItem } from '@ponte/contracts';
import type { RewardTier } from '@ponte/kernel';
import { pick } from '@ponte/kernel';
import { Accounts } from '../account/accounts.service';
import { needsTwoApprovers } from '../account-request/four-eyes.domain';
import type { OpenRequest } from '../account-request/account-request.state';
import { caseVersion } from './case-changes.domain';
import type { AccountRequestRow } from '../account-request/account-requests.read-model';

/** Items of the queue, with the partner's alias. */
@Injectable()
export class QueueItems {
  constructor(private readonly accounts: Accounts) {}

  async of(state: OpenRequest): Promise<CaseItem> {
    const { terms, status, stage, causes, approvals, statusUpdatedAt, since, information } = state;
    return {
      ...pick(terms, 'requestId', 'parentId'),
      parentAlias: await this.aliasOf(terms.parentId),
      ...pick(terms, 'accountId', 'mode'),
      status,
      reviewStage: stage,
      rewardTier: terms.rewardTier,
      country: terms.details.holder.country,
      causes,
      fourEyes: needsTwoApprovers(state),
      approvals: approvals.length,
      ...pick(state, 'escalated', 'assignedTo'),
      externalId: terms.externalId,
      createdAt: terms.requestedAt,
      statusUpdatedAt,
      stageSince: since,
      informationDueAt: information?.dueAt ?? null,
      version: caseVersion(state),
    };
  }

  async ofRows(rows: readonly AccountRequestRow[]): Promise<QueueItem[]> {
    const parents = [...new Set(rows.map((row) => row.parent_id))];
    const aliases = new Map(await Promise.all(parents.map(async (id) => [id, await this.aliasOf(id)] as const)));
    return rows.map((row) => ({
      requestId: row.id,
      parentId: row.parent_id,
      parentAlias: aliases.get(row.parent_id) ?? '',
      accountId: row.account_id,
      mode: row.mode,
      status: row.status,
      reviewStage: row.stage,
      rewardTier: Number(row.reward_tier) as RewardTier,
      country: row.country,
      causes: row.causes,
      fourEyes: row.four_eyes,
      approvals: row.approvals,
      escalated: row.escalated,
      assignedTo: row.assigned_to,
      externalId: row.external_id,
      createdAt: row.created_at,
      statusUpdatedAt: row.status_updated_at,
      stageSince: row.stage_since,
      informationDueAt: row.information_due_at,
    }));
  }

  private async aliasOf(parentId: string): Promise<string> {
    const parent = await this.accounts.load(parentId);
    return parent.status === 'absent' ? '' : parent.terms.alias;
  }
}

import { Injectable } from '@nestjs/common';
import type { FindingFilters, FindingStatus, Page, PageRequest, ScreeningFinding, Timestamp } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { person } from '../person/person.decider';

/** The findings of ongoing screening about accounts. */
@Injectable()
export class FindingReadModel extends defineReadModel({
  table: 'onboarding_screening_findings',
  version: 2,
  reader: 'onboarding-findings',
  of: person,
  columns: {
    account_id: 'text',
    status: 'text',
    list: 'text',
    // Null once cleared or settled.
    waits_since: 'text?',
    record: 'json',
  },
  indices: [[], ['account_id'], ['status'], ['list', 'status'], ['waits_since']],
  rows: ({ state, revision }) =>
    state.findings.map((finding) => ({
      id: finding.id,
      revision,
      created_at: finding.openedAt,
      account_id: finding.accountId,
      status: finding.status,
      list: finding.hit.list,
      waits_since: finding.status === 'open' || finding.status === 'matched' ? finding.openedAt : null,
      record: finding,
    })),
}) {
  /** Open and matched findings, longest-waiting first. */
  waiting(limit: number): Promise<readonly ScreeningFinding[]> {
    return this.longestWaiting(['open', 'matched'], limit);
  }

  /** True matches whose account is not frozen yet, longest-waiting first. */
  matched(limit: number): Promise<readonly ScreeningFinding[]> {
    return this.longestWaiting(['matched'], limit);
  }

  /** Counts the waiting findings by status, with the time when the oldest of them was opened. */
  async counts(): Promise<readonly { readonly status: string; readonly count: number; readonly since: Timestamp }[]> {
    const rows = await this.table.rows
      .where('waits_since', 'is not', null)
      .groupBy('status')
      .select(({ fn }) => ['status', fn.countAll<number | string>().as('count'), fn.min('created_at').as('since')])
      .execute();
    return rows.map(({ status, count, since }) => ({ status, count: Number(count), since }));
  }

  /** Findings in any status, newest first. */
  page({ accountId, status, list }: FindingFilters, page: PageRequest): Promise<Page<ScreeningFinding>> {
    return this.records({ where: {}, filters: { account_id: accountId, status, list }, page });
  }

  private async longestWaiting(
    statuses: readonly FindingStatus[],
    limit: number,
  ): Promise<readonly ScreeningFinding[]> {
    const rows = await this.table.select((all) =>
      all.where('status', 'in', statuses).orderBy('waits_since').orderBy('id').limit(limit),
    );
    return rows.map(({ record }) => record);
  }
}

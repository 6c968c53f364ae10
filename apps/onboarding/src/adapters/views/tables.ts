import type { ViewTable } from '@ponte/read-models';
import { createViewTable } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import type { AccountRequestRow } from '../../ports/account-requests-table';
import type { AccountRow } from '../../ports/accounts-table';
import type { EvidenceFileRow } from '../../ports/evidence-files-table';

export async function accountsTable(db: Kysely<unknown>): Promise<ViewTable<AccountRow>> {
  const table = createViewTable<AccountRow>({
    db,
    table: 'onboarding_accounts',
    columns: {
      parent_id: 'text?',
      alias: 'text',
      status: 'text',
      external_id: 'text?',
      onboarding_mode: 'text?',
      capabilities: 'json',
      tax_id_fingerprint: 'text',
      request_id: 'text?',
      opened: 'boolean',
      pending_step: 'text?',
      watched: 'text?',
    },
    indices: [['parent_id'], ['opened'], ['watched']],
  });
  await table.prepare();
  return table;
}

/** The indices serve the partner's list, the queue with its filters and the timers. */
export async function accountRequestsTable(db: Kysely<unknown>): Promise<ViewTable<AccountRequestRow>> {
  const table = createViewTable<AccountRequestRow>({
    db,
    table: 'onboarding_account_requests',
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
  });
  await table.prepare();
  return table;
}

export async function evidenceFilesTable(db: Kysely<unknown>): Promise<ViewTable<EvidenceFileRow>> {
  const table = createViewTable<EvidenceFileRow>({
    db,
    table: 'onboarding_evidence_files',
    columns: { parent_id: 'text', expires_at: 'text', standing: 'text' },
    indices: [
      ['standing', 'expires_at'],
      ['standing', 'parent_id'],
    ],
  });
  await table.prepare();
  return table;
}

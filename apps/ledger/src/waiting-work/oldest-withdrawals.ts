import type { Timestamp, WithdrawalMethod, WithdrawalRecord } from '@ponte/contracts';
import type { JoinedDecisions, Waiting } from '@ponte/nest';
import { DECISION_COLUMNS, IS_MADE, joinedDecisions, signedWork, waitingOf } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { LEDGER_DECISIONS } from './ledger-decisions.read-model';

interface Due extends JoinedDecisions {
  readonly method: WithdrawalMethod;
  readonly state: string;
  /** A number in SQLite, a boolean in PostgreSQL. */
  readonly signed: number | boolean;
  /** As text, and only of a signed one with a decision that was made. */
  readonly record: string | null;
  readonly since: Timestamp;
}

/**
 * Since when the longest-due withdrawal of each method has been due. A withdrawal that waits for banking hours counts
 * from the start of those hours. Unsigned tokens that are being sent do not count while they wait for the release of
 * their account or for the review of their address, and count from the decision afterwards. Signed ones wait for no
 * decision, and keep their age when one is made.
 */
export async function oldestWithdrawals(readModels: Kysely<unknown>): Promise<ReadonlyMap<string, Timestamp>> {
  const { rows } = await sql<Due>`
    SELECT withdrawals.method, withdrawals.state, withdrawals.tx_hash IS NOT NULL AS signed, ${DECISION_COLUMNS},
      CASE WHEN withdrawals.tx_hash IS NOT NULL AND ${IS_MADE} THEN withdrawals.record END AS record,
      min(withdrawals.due_at) AS since
    FROM ledger_withdrawals AS withdrawals
    ${joinedDecisions(LEDGER_DECISIONS, 'withdrawals.account_id', 'withdrawals.id')}
    WHERE withdrawals.due_at IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`.execute(readModels);
  const oldest = new Map<string, Timestamp>();
  for (const row of rows) {
    const { method } = row;
    const { waitsFor, since } = waitOf(row);
    if (waitsFor === 'nothing' && since < (oldest.get(method) ?? '~')) oldest.set(method, since);
  }
  return oldest;
}

function waitOf(row: Due): Waiting {
  const { method, state, signed, record, since } = row;
  if (method !== 'token' || state !== 'processing') return { waitsFor: 'nothing', since };
  if (!signed) return waitingOf(since, row);
  return signedWork(since, record === null ? null : ((JSON.parse(record) as WithdrawalRecord).signedAt ?? null), row);
}

import type { Timestamp, WithdrawalMethod } from '@ponte/contracts';
import type { JoinedDecisions } from '@ponte/nest';
import { DECISION_COLUMNS, joinedDecisions, notWaiting, waitingOf } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { LEDGER_DECISIONS } from './ledger-decisions.read-model';

interface Due extends JoinedDecisions {
  readonly method: WithdrawalMethod;
  readonly state: string;
  /** A number in SQLite, a boolean in PostgreSQL. */
  readonly signed: number | boolean;
  readonly since: Timestamp;
}

/**
 * Since when the longest-due withdrawal of each method has been due. A withdrawal that waits for banking hours counts
 * from the start of those hours. Unsigned tokens that are being sent do not count while they wait for the release of
 * their account or for the review of their address, and count from the decision afterwards. Signed ones wait for no
 * decision.
 */
export async function oldestWithdrawals(readModels: Kysely<unknown>): Promise<ReadonlyMap<string, Timestamp>> {
  const { rows } = await sql<Due>`
    SELECT withdrawals.method, withdrawals.state, withdrawals.tx_hash IS NOT NULL AS signed, ${DECISION_COLUMNS},
      min(withdrawals.due_at) AS since
    FROM ledger_withdrawals AS withdrawals
    ${joinedDecisions(LEDGER_DECISIONS, 'withdrawals.account_id', 'withdrawals.id')}
    WHERE withdrawals.due_at IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7`.execute(readModels);
  const oldest = new Map<string, Timestamp>();
  for (const row of rows) {
    const { method, state, signed } = row;
    const { waitsFor, since } =
      method === 'token' && state === 'processing'
        ? (signed ? notWaiting : waitingOf)(row.since, row)
        : { waitsFor: 'nothing', since: row.since };
    if (waitsFor === 'nothing' && since < (oldest.get(method) ?? '~')) oldest.set(method, since);
  }
  return oldest;
}

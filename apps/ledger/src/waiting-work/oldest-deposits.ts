import type { DepositRecord, Timestamp } from '@ponte/contracts';
import type { Awaited, JoinedDecisions, Waiting } from '@ponte/nest';
import { AWAITED, DECISION_COLUMNS, joinedDecisions, notWaiting, waitingOf } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { LEDGER_DECISIONS } from './ledger-decisions.read-model';

const TYPES: readonly DepositRecord['type'][] = ['pix', 'ted', 'manual-fx', 'token'];

interface Open extends JoinedDecisions {
  readonly type: string;
  readonly status: string;
  readonly unfinished: number | string | null;
  /** When the oldest of them was created. */
  readonly created_at: Timestamp;
}

interface OldestDeposit {
  readonly type: string;
  readonly waitsFor: Awaited;
  /** Null without such a deposit. */
  readonly since: Timestamp | null;
}

/**
 * Since when the oldest deposit that is created or confirmed has waited, by type and by what it waits for. USD deposits
 * that wait for a second staff member are left out: they have a metric of their own.
 */
export async function oldestDeposits(readModels: Kysely<unknown>): Promise<readonly OldestDeposit[]> {
  const { rows } = await sql<Open>`
    SELECT deposits.type, deposits.status, deposits.unfinished, ${DECISION_COLUMNS},
      min(deposits.created_at) AS created_at
    FROM ledger_deposits AS deposits ${joinedDecisions(LEDGER_DECISIONS, 'deposits.account_id', 'deposits.id')}
    WHERE deposits.status IN ('created', 'confirmed')
      AND NOT (deposits.type = 'manual-fx' AND deposits.status = 'created')
    GROUP BY 1, 2, 3, 4, 5, 6, 7`.execute(readModels);
  const open = rows.map((row) => ({ type: row.type, ...waitOf(row) }));
  return TYPES.flatMap((type) =>
    AWAITED.map((waitsFor) => {
      const times = open.filter((one) => one.type === type && one.waitsFor === waitsFor).map(({ since }) => since);
      return { type, waitsFor, since: times.sort()[0] ?? null };
    }),
  );
}

/**
 * A deposit waits for staff only after its rules were checked and its block is final: then it is confirmed and has work
 * left. Before that, neither a freeze nor a review keeps it from going on.
 */
const waitOf = (row: Open): Waiting =>
  row.status === 'confirmed' && row.unfinished !== null
    ? waitingOf(row.created_at, row)
    : notWaiting(row.created_at, row);

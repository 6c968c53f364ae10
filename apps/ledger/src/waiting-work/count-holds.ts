import type { Hold, Timestamp } from '@ponte/contracts';
import type { Awaited, JoinedDecisions } from '@ponte/nest';
import { AWAITED, DECISION_COLUMNS, joinedDecisions, waitingOf } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { LEDGER_DECISIONS } from './ledger-decisions.read-model';

/** Open holds that wait for the same. */
interface CountedHolds {
  readonly waitsFor: Awaited;
  readonly all: number;
  readonly old: number;
}

/** How many holds for withdrawals were placed before a time although no open withdrawal needs them. */
export async function countHoldsWithoutWithdrawal(readModels: Kysely<unknown>, before: Timestamp): Promise<number> {
  const { rows } = await sql<{ readonly found: number | string }>`
    SELECT count(*) AS found
    FROM ledger_open_holds AS holds LEFT JOIN ledger_withdrawals AS withdrawals ON withdrawals.id = holds.owner_id
    WHERE holds.owner_kind = 'withdrawal' AND holds.placed_at < ${before}
      AND (withdrawals.id IS NULL OR withdrawals.state NOT IN ('created', 'processing'))`.execute(readModels);
  return Number(rows[0]?.found ?? 0);
}

/**
 * How many holds are open, and how many of them are old: they have waited for what they wait for since before a time.
 */
export async function countHolds(
  readModels: Kysely<unknown>,
  ownerKind: Hold['owner']['kind'],
  before: Timestamp,
): Promise<readonly CountedHolds[]> {
  const { rows } = await sql<JoinedDecisions & { readonly all: number | string; readonly old: number | string }>`
      SELECT ${DECISION_COLUMNS}, count(*) AS "all",
        sum(CASE WHEN holds.placed_at < ${before} THEN 1 ELSE 0 END) AS old
      FROM ledger_open_holds AS holds ${joinedDecisions(LEDGER_DECISIONS, 'holds.account_id', 'holds.owner_id')}
      WHERE holds.owner_kind = ${ownerKind}
      GROUP BY 1, 2, 3, 4`.execute(readModels);
  const waiting = rows.map((row) => {
    const { waitsFor, since } = waitingOf('', row);
    return { waitsFor, all: Number(row.all), old: since < before ? Number(row.old) : 0 };
  });
  return AWAITED.map((waitsFor) => {
    const found = waiting.filter((one) => one.waitsFor === waitsFor);
    const sum = (of: 'all' | 'old') => found.reduce((total, one) => total + one[of], 0);
    return { waitsFor, all: sum('all'), old: sum('old') };
  });
}

import type { AliasedRawBuilder, Kysely } from 'kysely';
import { PostgresAdapter, sql } from 'kysely';
import { assertName } from './columns';

/**
 * SQLite has no exact number of this size, so it sums groups of digits. The sum of 9 digits over a billion rows fits in
 * its integers of 64 bits.
 */
const DIGITS = 9;
const GROUPS = 5;
const MAX_DIGITS = DIGITS * GROUPS;

type Part = `sum_${number}` | 'longest';

/** The exact sum of a `sum` column, computed by the database: `select(sum.parts)`, then `sum.of(row)`. */
interface ExactSum {
  readonly parts: readonly AliasedRawBuilder<string | null, Part>[];
  /**
   * @param row a row with the selected parts
   * @throws RangeError if SQLite read a value of more than 45 digits, which it cannot sum
   */
  of(row: Readonly<Partial<Record<Part, string | null>>>): bigint;
}

/** Sums numbers that are stored as text. */
export function exactSum(column: string, db: Pick<Kysely<unknown>, 'getExecutor'>): ExactSum {
  assertName(column);
  return db.getExecutor().adapter instanceof PostgresAdapter ? sumOfNumerics(column) : sumOfDigits(column);
}

function sumOfNumerics(column: string): ExactSum {
  const sum = sql<string | null>`cast(sum(cast(${sql.ref(column)} as numeric)) as text)`;
  return { parts: [sum.as('sum_0')], of: (row) => BigInt(row.sum_0 ?? 0) };
}

function sumOfDigits(column: string): ExactSum {
  const value = sql.ref(column);
  const unsigned = sql`ltrim(${value}, '-')`;
  const padded = sql`(${sql.lit('0'.repeat(MAX_DIGITS))} || ${unsigned})`;
  const sign = sql`case when ${value} like '-%' then -1 else 1 end`;
  const groups = Array.from({ length: GROUPS }, (_, at) => {
    const first = sql`length(${padded}) - ${sql.lit(DIGITS * (at + 1) - 1)}`;
    const group = sql`cast(substr(${padded}, ${first}, ${sql.lit(DIGITS)}) as integer)`;
    return sql<string | null>`cast(sum(${sign} * ${group}) as text)`.as<Part>(`sum_${at}`);
  });
  return {
    parts: [...groups, sql<string | null>`cast(max(length(${unsigned})) as text)`.as<Part>('longest')],
    of(row) {
      if (Number(row.longest ?? 0) > MAX_DIGITS)
        throw new RangeError(`${column} must have at most ${MAX_DIGITS} digits to be summed`);
      return groups.reduce((sum, _, at) => sum + BigInt(row[`sum_${at}`] ?? 0) * 10n ** BigInt(DIGITS * at), 0n);
    },
  };
}

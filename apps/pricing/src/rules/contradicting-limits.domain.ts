import type { RuleViolation } from '@ponte/contracts';
import { PAIRS } from '@ponte/contracts';
import { current, isOf } from './in-force.domain';
import type { Dated, LimitRule } from './rules.domain';
import { limitedAsset } from './rules.domain';

/** Rows that bound a side in BRL so that no amount is also within the BRL bounds of a pair at some time. */
export function contradicting(rows: readonly LimitRule[]): RuleViolation[] {
  return rows.flatMap((row, index) => {
    if (row.side === null || limitedAsset(row) !== 'fiat/brl') return [];
    const outside = PAIRS.filter((pair) => pair.conversion === row.kind && isOf(row, pair))
      .flatMap((pair) => boundingRows(rows, row, pair))
      .find((at) => {
        const bounds = rows[at];
        return bounds !== undefined && (row.minimum > bounds.maximum || row.maximum < bounds.minimum);
      });
    if (outside === undefined) return [];
    return [{ path: `limits[${index}]`, message: `has no amount in common with the BRL bounds of limits[${outside}]` }];
  });
}

/** The indexes of the rows that bound the BRL amount of a pair at some time of a period. */
function boundingRows(
  rows: readonly LimitRule[],
  { validFrom, validTo }: Dated,
  pair: (typeof PAIRS)[number],
): number[] {
  const fits = (row: LimitRule): boolean => row.side === null && row.kind === pair.conversion && isOf(row, pair);
  // Another row can apply only from the time at which a row begins or ends.
  const changes = rows.filter(fits).flatMap((row) => [row.validFrom, row.validTo]);
  return [validFrom, ...changes]
    .filter((time) => validFrom <= time && time < validTo)
    .map((time) => rows.findIndex((row) => fits(row) && current(row, time)))
    .filter((at) => at >= 0);
}

import type { AmountOf } from '@ponte/contracts';
import type { AssetId, Violation } from '@ponte/kernel';
import { Money, Refusal, refuseAll, violation } from '@ponte/kernel';

/** A closing writes off less than this much of each asset: one unit, which is about five BRL or less. */
const BELOW = '1';

/** A balance in the ledger, as decimal strings. */
interface Balance {
  readonly asset: AssetId;
  readonly running: string;
  readonly held: string;
}

/** The amounts that a staff member typed, at the scale of their assets. Refuses each that may not be written off. */
export function writeOffOf(typed: readonly AmountOf[]): readonly AmountOf[] {
  refuseAll(typed.flatMap((one, at) => violationsOf(one, `write-off[${at}]`, typed.slice(0, at))));
  return typed.map(({ asset, amount }) => ({ asset, amount: Money.parse(asset, amount).toString() }));
}

/** Whether two write-offs name the same amounts in the same order. */
export const isSameWriteOff = (one: readonly AmountOf[] = [], other: readonly AmountOf[] = []): boolean =>
  one.length === other.length &&
  one.every(({ asset, amount }, at) => other[at]?.asset === asset && other[at].amount === amount);

/**
 * Why a balance prevents the closing; nothing if it is zero, or exactly what is written off. What is held belongs to
 * something in progress.
 */
export function openBalance({ asset, running, held }: Balance, writeOff: readonly AmountOf[]): string[] {
  const left = writeOff.find((one) => one.asset === asset);
  const expected = left ? Money.stored(asset, left.amount) : Money.zero(asset);
  if (Money.stored(asset, held).isZero() && Money.stored(asset, running).equals(expected)) return [];
  const named = left ? `, and ${left.amount} is to be written off` : '';
  return [`the balance of ${asset} is ${running}, of which ${held} is held${named}`];
}

function violationsOf({ asset, amount }: AmountOf, path: string, before: readonly AmountOf[]): Violation[] {
  if (before.some((one) => one.asset === asset))
    return [violation('invalid-format', `${path}.asset`, 'the asset is listed twice')];
  const at = `${path}.amount`;
  try {
    const money = Money.parse(asset, amount);
    if (!money.isPositive()) return [violation('amount-below-minimum', at, 'must be greater than zero')];
    return money.compare(Money.parse(asset, BELOW)) < 0
      ? []
      : [violation('amount-above-maximum', at, `must be below ${BELOW}: a larger balance is paid to the holder`)];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.violations.map((one) => ({ ...one, path: at }));
  }
}

/*
 * Division of money on bigint. The name of a function says how it rounds. Operands are never negative: for a negative
 * operand "down" and "towards zero" would differ, and no formula of ours divides a negative number.
 */

function checkOperands(numerator: bigint, denominator: bigint): void {
  if (numerator < 0n || denominator <= 0n) {
    throw new RangeError('fixed-point division needs a numerator of zero or more and a denominator above zero');
  }
}

/** ⌊a / den⌋ for a ≥ 0 and den > 0. */
export function divFloor(a: bigint, den: bigint): bigint {
  checkOperands(a, den);
  return a / den;
}

/** ⌈a / den⌉ for a ≥ 0 and den > 0. */
export function divCeil(a: bigint, den: bigint): bigint {
  checkOperands(a, den);
  return (a + den - 1n) / den;
}

/** ⌊a·b / den⌋ for a·b ≥ 0 and den > 0; the product is exact. */
export function mulFloor(a: bigint, b: bigint, den: bigint): bigint {
  return divFloor(a * b, den);
}

/** ⌈a·b / den⌉ for a·b ≥ 0 and den > 0; the product is exact. */
export function mulCeil(a: bigint, b: bigint, den: bigint): bigint {
  return divCeil(a * b, den);
}

/*
 * Division of money on bigint. The name of a function says how it rounds. Operands are never negative: for a negative
 * operand "down" and "towards zero" would differ, and no formula of ours divides a negative number.
 */

function checkOperands(numerator: bigint, denominator: bigint): void {
  if (numerator < 0n || denominator <= 0n) {
    throw new RangeError('fixed-point division needs a numerator of zero or more and a denominator above zero');
  }
}

/** ⌊a / divisor⌋ for a ≥ 0 and divisor > 0. */
export function divFloor(a: bigint, divisor: bigint): bigint {
  checkOperands(a, divisor);
  return a / divisor;
}

/** ⌈a / divisor⌉ for a ≥ 0 and divisor > 0. */
export function divCeil(a: bigint, divisor: bigint): bigint {
  checkOperands(a, divisor);
  return (a + divisor - 1n) / divisor;
}

/** ⌊a·b / divisor⌋ for a·b ≥ 0 and divisor > 0; the product is exact. */
export function mulFloor(a: bigint, b: bigint, divisor: bigint): bigint {
  return divFloor(a * b, divisor);
}

/** ⌈a·b / divisor⌉ for a·b ≥ 0 and divisor > 0; the product is exact. */
export function mulCeil(a: bigint, b: bigint, divisor: bigint): bigint {
  return divCeil(a * b, divisor);
}

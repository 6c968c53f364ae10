import { parseDecimal, rescaleExact } from '@ponte/kernel';

/** An amount of a quote in minor units. Throws if it has more decimals than `scale`. */
export function storedMinor(text: string, scale: number): bigint {
  const decimal = parseDecimal(text);
  const minor = decimal && rescaleExact(decimal, scale);
  if (minor === undefined) throw new TypeError('an amount of the quote is malformed');
  return minor;
}

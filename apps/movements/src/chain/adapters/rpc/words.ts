import type { Hex } from '../../chain.port';

/** Hex digits of one argument: 32 bytes. */
const DIGITS = 64;
/** `0x` and four bytes: which function is called. */
const SELECTOR = 10;
const MOST = 2n ** 256n;

/** An argument of a call: 32 bytes, an address, or a whole number. */
export type Word = Hex | bigint;

/**
 * The data of a call whose arguments are all of fixed size: the selector and 32 bytes for each. It is all that our
 * calls need, and a fortieth of what a general encoder takes, which is a tenth of a mint's whole cost.
 */
export function callData(selector: Hex, words: readonly Word[]): Hex {
  return `0x${selector.slice(2)}${words.map(digitsOf).join('')}`;
}

function digitsOf(word: Word): string {
  if (typeof word === 'bigint') {
    if (word < 0n || word >= MOST) throw new RangeError('a number of a call is a uint256');
    return word.toString(16).padStart(DIGITS, '0');
  }
  if (!/^0x[0-9a-fA-F]{40}([0-9a-fA-F]{24})?$/.test(word))
    throw new TypeError('a word of a call is an address or 32 bytes');
  return word.slice(2).toLowerCase().padStart(DIGITS, '0');
}

export const selectorIn = (data: Hex): string => data.slice(0, SELECTOR);

/** The arguments of a call's data, 32 bytes each. */
export function wordsIn(data: Hex): Hex[] {
  const words: Hex[] = [];
  for (let at = SELECTOR; at + DIGITS <= data.length; at += DIGITS) words.push(`0x${data.slice(at, at + DIGITS)}`);
  return words;
}

/** The address in a word. */
export const addressIn = (word: Hex): Hex => `0x${word.slice(-40)}`;

import type { Hex } from '../../chain.port';

/** Below 2^52, so that it is exact as a number. */
const QUANTITY = /^0x[0-9a-f]{1,13}$/i;
/** 9999-12-31T23:59:59Z, in seconds. */
const LAST_SECOND = 253_402_300_799;
const WORD = /^0x[0-9a-f]{64}$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const BYTES = /^0x(?:[0-9a-f]{2})*$/i;
const UNSIGNED = /^0x[0-9a-f]{1,64}$/i;

const matches =
  (form: RegExp) =>
  (value: unknown): value is Hex =>
    typeof value === 'string' && form.test(value);

/** Whether a node's value is a number, such as a height, an index or a time. */
export const isQuantity = matches(QUANTITY);
/** Whether a node's value is the time of a block, in seconds, that ISO 8601 can express. */
export const isBlockTime = (value: unknown): value is Hex => isQuantity(value) && Number(value) <= LAST_SECOND;
/** Whether a node's value is 32 bytes: a hash, a topic or one argument. */
export const isWord = matches(WORD);
/** Whether a node's value is an address, in any case. */
export const isAddress = matches(ADDRESS);
/** Whether a node's value is a number of at most 256 bits. */
export const isUnsigned = matches(UNSIGNED);
/** Whether a node's value is a text of whole bytes, such as code. */
export const isBytes = matches(BYTES);

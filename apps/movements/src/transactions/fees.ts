import type { FeeQuote } from '../ports/chain';

/** 1,000 gwei a gas: the most that the key store signs. A block that is dearer is waited out, with the nonce already taken. */
const MOST_PER_GAS = 1_000_000_000_000n;

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The quote, within what may be paid. */
export const affordable = ({ maxFeePerGas, maxPriorityFeePerGas }: FeeQuote): FeeQuote => ({
  maxFeePerGas: least(maxFeePerGas, MOST_PER_GAS),
  maxPriorityFeePerGas: least(maxPriorityFeePerGas, MOST_PER_GAS),
});

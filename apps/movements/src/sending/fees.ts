import type { FeeQuote } from '../chain/chain.port';

const lower = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * By an eighth at least, rounded up: nodes refuse a replacement that offers less than 10 % more (geth, reth) or 12.5 %
 * (some pools).
 */
const raised = (fee: bigint): bigint => (fee * 9n + 7n) / 8n;

/**
 * The fees of bytes that take the place of others under the same nonce: both raised by 12.5 % at least, or what the
 * market asks now if that is more. Null when that is over `cap` (wei for each unit of gas): nodes would not take less.
 */
export function replacementFee(before: FeeQuote, market: FeeQuote, cap: bigint): FeeQuote | null {
  const [least, tip] = [raised(before.maxFeePerGas), raised(before.maxPriorityFeePerGas)];
  if (least > cap || tip > cap) return null;
  const maxFeePerGas = lower(most(least, market.maxFeePerGas), cap);
  return { maxFeePerGas, maxPriorityFeePerGas: most(tip, lower(market.maxPriorityFeePerGas, maxFeePerGas)) };
}

/**
 * The quote, within what may be paid (wei for each unit of gas). A block that is dearer is waited out, with the nonce
 * already taken.
 */
export const affordable = ({ maxFeePerGas, maxPriorityFeePerGas }: FeeQuote, cap: bigint): FeeQuote => ({
  maxFeePerGas: lower(maxFeePerGas, cap),
  maxPriorityFeePerGas: lower(maxPriorityFeePerGas, cap),
});

/** Whether a transaction would be signed with more today, in either fee. */
export const isDearer = (market: FeeQuote, offered: FeeQuote): boolean =>
  market.maxFeePerGas > offered.maxFeePerGas || market.maxPriorityFeePerGas > offered.maxPriorityFeePerGas;

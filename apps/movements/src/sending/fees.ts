import type { FeeQuote } from '../chain/chain.port';

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/**
 * Raises a fee by an eighth, rounded up: nodes refuse a replacement that offers less than 10 % more (geth, reth) or
 * 12.5 % more (some pools).
 */
const raised = (fee: bigint): bigint => (fee * 9n + 7n) / 8n;

/**
 * The fees of bytes that replace others with the same nonce: both raised by at least 12.5 %, or the current market fees
 * if those are higher. Null when that exceeds `cap` (wei for each unit of gas): nodes would not accept less.
 */
export function replacementFee(before: FeeQuote, market: FeeQuote, cap: bigint): FeeQuote | null {
  const [least, tip] = [raised(before.maxFeePerGas), raised(before.maxPriorityFeePerGas)];
  if (least > cap || tip > cap) return null;
  const maxFeePerGas = min(max(least, market.maxFeePerGas), cap);
  return { maxFeePerGas, maxPriorityFeePerGas: max(tip, min(market.maxPriorityFeePerGas, maxFeePerGas)) };
}

/**
 * Limits the quote to the cap (wei for each unit of gas). While blocks cost more, the transaction waits with its nonce.
 */
export const capped = ({ maxFeePerGas, maxPriorityFeePerGas }: FeeQuote, cap: bigint): FeeQuote => ({
  maxFeePerGas: min(maxFeePerGas, cap),
  maxPriorityFeePerGas: min(maxPriorityFeePerGas, cap),
});

/** Whether either market fee is higher than the one that the transaction offers. */
export const isMarketHigher = (market: FeeQuote, offered: FeeQuote): boolean =>
  market.maxFeePerGas > offered.maxFeePerGas || market.maxPriorityFeePerGas > offered.maxPriorityFeePerGas;

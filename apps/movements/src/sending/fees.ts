import type { FeeQuote } from '../chain/chain.port';

/** Limits of the fees on one chain, wei. */
export interface FeeLimits {
  /** For each unit of gas. */
  readonly maxFeePerGas: bigint;
  /** For each unit of gas, of a tip that the nodes propose. A replacement may offer more, because nodes demand it. */
  readonly maxPriorityFeePerGas: bigint;
  /** For the whole gas limit of a transaction. Many nodes refuse transactions that offer more than 1 coin. */
  readonly maxFee: bigint;
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The most that a transaction with this gas limit may offer for a unit of gas. */
const capOf = ({ maxFeePerGas, maxFee }: FeeLimits, gas: bigint): bigint => min(maxFeePerGas, maxFee / gas);

/**
 * Raises a fee by an eighth, rounded up: nodes refuse a replacement that offers less than 10 % more (geth, reth) or
 * 12.5 % more (some pools).
 */
const raised = (fee: bigint): bigint => (fee * 9n + 7n) / 8n;

/**
 * The fees of bytes that replace others with the same nonce and gas limit: both raised by at least 12.5 %, or the
 * current market fees within the limits if those are higher. Null when an eighth more exceeds the limit of the whole
 * fee: nodes would not accept less.
 */
export function replacementFee(before: FeeQuote, market: FeeQuote, limits: FeeLimits, gas: bigint): FeeQuote | null {
  const [least, tip] = [raised(before.maxFeePerGas), raised(before.maxPriorityFeePerGas)];
  if (max(least, tip) > capOf(limits, gas)) return null;
  const current = capped(market, limits, gas);
  return {
    maxFeePerGas: max(least, current.maxFeePerGas),
    maxPriorityFeePerGas: max(tip, current.maxPriorityFeePerGas),
  };
}

/** Limits the quote for a transaction with this gas limit. While blocks cost more, it waits with its nonce. */
export function capped(quote: FeeQuote, limits: FeeLimits, gas: bigint): FeeQuote {
  const cap = capOf(limits, gas);
  const tip = min(quote.maxPriorityFeePerGas, limits.maxPriorityFeePerGas);
  const fee = quote.maxFeePerGas - quote.maxPriorityFeePerGas + tip;
  return { maxFeePerGas: min(fee, cap), maxPriorityFeePerGas: min(tip, cap) };
}

/** Whether either market fee is higher than the one that the transaction offers. */
export const isMarketHigher = (market: FeeQuote, offered: FeeQuote): boolean =>
  market.maxFeePerGas > offered.maxFeePerGas || market.maxPriorityFeePerGas > offered.maxPriorityFeePerGas;

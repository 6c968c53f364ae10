import { CHAINS, chainIdOf } from '@ponte/kernel';
import { gasLimitsOn } from '../../chain/gas-limits.domain';
import type { UnsignedTransaction } from '../signer.port';

/** The highest gas limit of one transaction on each chain that we serve, by the chain's id. */
const MAX_GAS: ReadonlyMap<number, bigint> = new Map(
  CHAINS.map((chain) => [chainIdOf(chain), gasLimitsOn(chain).most]),
);
/** 1,000 gwei per gas, above any fee paid in practice so far. A higher fee is an error. */
const MAX_FEE_PER_GAS = 1_000_000_000_000n;

/**
 * The keystore's own checks, for every caller: the chain is one that we serve (so that nothing can be replayed
 * elsewhere), and gas and fees are plausible. Throws a RangeError.
 */
export function assertSignable({
  chainId,
  nonce,
  value = 0n,
  gas,
  maxFeePerGas,
  maxPriorityFeePerGas,
}: UnsignedTransaction): void {
  const demand = (holds: boolean, what: string): void => {
    if (!holds) throw new RangeError(`not signed: ${what}`);
  };
  const maxGas = MAX_GAS.get(chainId) ?? 0n;
  demand(MAX_GAS.has(chainId), 'the chain is not one of ours');
  demand(Number.isSafeInteger(nonce) && nonce >= 0, 'the nonce is not a whole number of zero or more');
  demand(value >= 0n, 'the value is negative');
  demand(gas > 0n && gas <= maxGas, 'the gas limit is out of bounds');
  demand(maxPriorityFeePerGas >= 0n && maxPriorityFeePerGas <= maxFeePerGas, 'the tip is more than the whole fee');
  demand(maxFeePerGas <= MAX_FEE_PER_GAS, 'the fee is out of bounds');
}

import type { Chain } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { encodeFunctionData, parseAbi } from 'viem';
import type { Hex } from '../chain.port';
import type { StateAt } from './rpc/json-rpc-node';
import { numberIn } from './rpc/json-rpc-node';
import { isUnsigned } from './rpc/json-rpc-values';

/** The node's reads that a balance needs. */
export interface BalanceNode {
  rpc<T>(method: string, params: readonly unknown[]): Promise<T>;
  callData(to: Hex, data: Hex, at: StateAt): Promise<Hex | null>;
  tokenBalance(token: Hex, holder: Hex, at: StateAt): Promise<bigint>;
}

/** Tempo's contract that collects fees, and its token for addresses that have not chosen one, pathUSD. */
const FEE_MANAGER: Hex = '0xfeec000000000000000000000000000000000000';
const DEFAULT_FEE_TOKEN: Hex = '0x20c0000000000000000000000000000000000000';
const FEE_ABI = parseAbi(['function userTokens(address user) view returns (address)']);
/** Tempo's gas price is in 10^-18 dollars, and its fee tokens have 6 decimals. */
const PRICE_UNITS_PER_TOKEN_UNIT = 10n ** 12n;
/** More coins than any chain has. Tempo answers `eth_getBalance` with a constant of 248 bits. */
const IMPOSSIBLE = 2n ** 128n;

/**
 * What an address can pay gas with, in the unit of the gas price. Tempo has no coin: an address pays in a token that it
 * has chosen, or in pathUSD. A local chain in its place has coins and no contract that collects fees.
 */
export async function gasBalanceOn(node: BalanceNode, chain: Chain, holder: Hex): Promise<bigint> {
  if (chain === 'tempo') {
    const data = encodeFunctionData({ abi: FEE_ABI, functionName: 'userTokens', args: [holder] });
    const chosen = await node.callData(FEE_MANAGER, data, 'latest');
    if (chosen !== null)
      return PRICE_UNITS_PER_TOKEN_UNIT * (await node.tokenBalance(feeToken(chosen), holder, 'latest'));
  }
  const coins = await node.rpc<unknown>('eth_getBalance', [holder, 'latest']);
  if (!isUnsigned(coins) || BigInt(coins) >= IMPOSSIBLE)
    throw new Unavailable('chain-unavailable', 'the node returned no balance of coins');
  return BigInt(coins);
}

function feeToken(answer: Hex): Hex {
  const chosen = numberIn(answer);
  return chosen === 0n ? DEFAULT_FEE_TOKEN : `0x${chosen.toString(16).padStart(40, '0')}`;
}

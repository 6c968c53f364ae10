import { createHash } from 'node:crypto';
import type { Chain } from '@ponte/kernel';
import type { Hex } from '../../chain.port';
import { type Deployment, tokensOn } from '../deployment';

/** Made-up contract addresses, one for each token of the chain. */
export function simulatedDeployment(chain: Chain): Deployment {
  const address = (name: string): Hex =>
    `0x${createHash('sha256').update(`simulated/${chain}/${name}`).digest('hex').slice(0, 40)}`;
  const tokens = Object.fromEntries(tokensOn(chain).map((asset) => [asset, address(asset)]));
  return {
    chain,
    minter: address('minter'),
    custody: address('custody'),
    tokens,
    ...(chain === 'eth-base' ? { certificates: address('certificates') } : {}),
  };
}

import { Unavailable } from '@ponte/kernel';
import type { PublicClient } from 'viem';
import type { Hex } from '../chain.port';
import { CUSTODY_ABI, TOKEN_ABI } from './rpc/abi';
import { isOutage, outageOf } from './rpc/broadcast-outcome';
import { CERTIFICATE_ABI } from './rpc/certificates';
import { walletAddress } from './custody';
import type { Deployment } from './deployment';

/** A salt that no wallet has: ids of wallets are shorter. */
const PROBE: Hex = `0x${'f'.repeat(64)}`;

/** Rejects with an Error when wallets would be at other addresses than those that customers were given. */
export async function checkCustody(client: PublicClient, { chain, custody }: Deployment): Promise<void> {
  const there = await known(() =>
    client.readContract({ address: custody, abi: CUSTODY_ABI, functionName: 'walletAt', args: [PROBE] }),
  );
  if (there?.toLowerCase() !== walletAddress(custody, PROBE))
    throw new Error(`there is no custody contract of ours at ${custody} on ${chain}`);
}

/** Rejects with an Error when what is configured as the contract of the certificates does not answer as one. */
export async function checkCertificates(client: PublicClient, { chain, certificates }: Deployment): Promise<void> {
  if (certificates === undefined) return;
  const minted = await known(() =>
    client.readContract({ address: certificates, abi: CERTIFICATE_ABI, functionName: 'minted', args: [PROBE] }),
  );
  if (minted === undefined)
    throw new Error(`there is no contract for reward certificates at ${certificates} on ${chain}`);
}

/** Undefined for an address that is no token. */
export const decimalsOf = (client: PublicClient, address: Hex): Promise<number | undefined> =>
  known(() => client.readContract({ address, abi: TOKEN_ABI, functionName: 'decimals' }));

/** Undefined when the contract does not answer the call. Rejects with `Unavailable` when the node does not answer. */
async function known<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isOutage(error)) throw new Unavailable('chain-unavailable', outageOf(error));
    return undefined;
  }
}

import type { Chain } from '@ponte/kernel';
import { Unavailable, assetOf, chainIdOf } from '@ponte/kernel';
import type { PublicClient } from 'viem';
import type { Hex } from '../chain.port';
import { CERTIFICATE_ABI, CUSTODY_ABI, TOKEN_ABI } from './rpc/abi';
import { isOutage, outageOf } from './rpc/broadcast-outcome';
import { walletAddress } from './custody';
import { type Deployment, tokensOn } from './deployment';

/** A salt that no wallet has: wallet ids are shorter than 32 bytes. */
const PROBE: Hex = `0x${'f'.repeat(64)}`;

/**
 * Rejects with an Error when the node serves another chain, or a contract is missing, is not ours or has other decimals
 * than the asset table; with `Unavailable` when the node does not answer.
 */
export async function checkDeployment(client: PublicClient, deployment: Deployment): Promise<void> {
  const { chain, minter, tokens } = deployment;
  const actual = await answered(client.getChainId());
  if (actual !== chainIdOf(chain))
    throw new Error(`the node of ${chain} serves chain ${actual}, not ${chainIdOf(chain)}`);
  if ((await answered(client.getCode({ address: minter }))) === undefined)
    throw new Error(`there is no minter contract at ${minter} on ${chain}`);
  await checkCustody(client, deployment);
  await checkCertificates(client, deployment);
  for (const asset of tokensOn(chain)) {
    const address = tokens[asset];
    const { onChainDecimals } = assetOf(asset);
    const decimals =
      address === undefined
        ? onChainDecimals
        : await known(client.readContract({ address, abi: TOKEN_ABI, functionName: 'decimals' }));
    if (decimals !== onChainDecimals)
      throw new Error(`${asset} at ${address} has ${decimals ?? 'no'} decimals, not ${onChainDecimals}`);
  }
}

/** Rejects with an Error when a node serves another chain. A node that does not answer is left out. */
export async function checkNodes(nodes: readonly { chainId(): Promise<number> }[], chain: Chain): Promise<void> {
  const answers = await Promise.allSettled(nodes.map((node) => node.chainId()));
  for (const one of answers)
    if (one.status === 'fulfilled' && one.value !== chainIdOf(chain))
      throw new Error(`a node of ${chain} serves chain ${one.value}, not ${chainIdOf(chain)}`);
}

/**
 * Rejects with an Error when the contract does not derive the addresses of wallets as ours does. Whether it is the one
 * of the recorded wallets is checked when they can be read.
 */
async function checkCustody(client: PublicClient, { chain, custody }: Deployment): Promise<void> {
  const call = { address: custody, abi: CUSTODY_ABI, functionName: 'walletAt', args: [PROBE] } as const;
  const wallet = await known(client.readContract(call));
  if (wallet?.toLowerCase() !== walletAddress(custody, PROBE))
    throw new Error(`there is no custody contract of Ponte at ${custody} on ${chain}`);
}

/** Rejects with an Error when the configured certificate contract does not implement `minted`. */
async function checkCertificates(client: PublicClient, { chain, certificates }: Deployment): Promise<void> {
  if (certificates === undefined) return;
  const call = { address: certificates, abi: CERTIFICATE_ABI, functionName: 'minted', args: [PROBE] } as const;
  if ((await known(client.readContract(call))) === undefined)
    throw new Error(`there is no contract for reward certificates at ${certificates} on ${chain}`);
}

/** Undefined when the contract does not answer the call. Rejects with `Unavailable` when the node does not answer. */
async function known<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isOutage(error)) throw new Unavailable('chain-unavailable', outageOf(error));
    return undefined;
  }
}

async function answered<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw new Unavailable('chain-unavailable', outageOf(error));
  }
}

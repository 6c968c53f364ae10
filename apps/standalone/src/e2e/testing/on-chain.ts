import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicClient, erc20Abi, erc721Abi, formatUnits, http, zeroAddress } from 'viem';

const TOKEN = 'eth-base/brlv';
/** The vault. Its shares are backed by BRLV that is minted to it. */
const VAULT = 'eth-base/wbrly';
const DECIMALS = 18;

/** One mint, read from the token's events. */
export interface MintOnChain {
  readonly to: string;
  readonly amount: string;
}

interface BrlvOnChain {
  supply(): Promise<string>;
  of(holder: string): Promise<string>;
  /** All mints except those that back the vault's shares, oldest first, with lower-case addresses. */
  mints(): Promise<readonly MintOnChain[]>;
}

/** Reads the owner of a reward certificate's token from the chain without our code. The address is in lower case. */
export async function certificateOwnerOnChain(dataDirectory: string, certificateId: string): Promise<string> {
  const read = <T>(name: string): T =>
    JSON.parse(readFileSync(join(dataDirectory, 'chains/eth-base', name), 'utf8')) as T;
  const address = read<{ certificates: `0x${string}` }>('contracts.json').certificates;
  const client = createPublicClient({
    transport: http(`http://127.0.0.1:${read<{ port: number }>('process.json').port}`),
  });
  const id = BigInt(`0x${certificateId.replaceAll('-', '')}`);
  return (await client.readContract({ address, abi: erc721Abi, functionName: 'ownerOf', args: [id] })).toLowerCase();
}

/** Reads a holder's balance of a token on eth-base, in whole tokens, without our code. */
export async function tokenOnChain(dataDirectory: string, asset: string, holder: string): Promise<string> {
  const read = <T>(name: string): T =>
    JSON.parse(readFileSync(join(dataDirectory, 'chains/eth-base', name), 'utf8')) as T;
  const address = read<{ tokens: Record<string, `0x${string}`> }>('contracts.json').tokens[asset];
  if (!address) throw new Error(`the local chain has no ${asset}`);
  const client = createPublicClient({
    transport: http(`http://127.0.0.1:${read<{ port: number }>('process.json').port}`),
  });
  const of = { address, abi: erc20Abi } as const;
  const [decimals, units] = await Promise.all([
    client.readContract({ ...of, functionName: 'decimals' }),
    client.readContract({ ...of, functionName: 'balanceOf', args: [holder as `0x${string}`] }),
  ]);
  return formatUnits(units, decimals);
}

/** Reads BRLV on eth-base from the local node of a running cluster, without our code. */
export function brlvOnChain(dataDirectory: string): BrlvOnChain {
  const read = <T>(name: string): T =>
    JSON.parse(readFileSync(join(dataDirectory, 'chains/eth-base', name), 'utf8')) as T;
  const { port } = read<{ port: number }>('process.json');
  const { tokens } = read<{ tokens: Record<string, `0x${string}`> }>('contracts.json');
  const [address, vault] = [tokens[TOKEN], tokens[VAULT]?.toLowerCase()];
  if (!address) throw new Error('the local chain has no BRLV');
  const client = createPublicClient({ transport: http(`http://127.0.0.1:${port}`) });
  return {
    supply: async () =>
      formatUnits(await client.readContract({ address, abi: erc20Abi, functionName: 'totalSupply' }), DECIMALS),
    of: async (holder) =>
      formatUnits(
        await client.readContract({
          address,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [holder as `0x${string}`],
        }),
        DECIMALS,
      ),
    mints: async () =>
      (
        await client.getContractEvents({
          address,
          abi: erc20Abi,
          eventName: 'Transfer',
          args: { from: zeroAddress },
          fromBlock: 'earliest',
          toBlock: 'latest',
        })
      )
        .map(({ args: { to = zeroAddress, value = 0n } }) => ({
          to: to.toLowerCase(),
          amount: formatUnits(value, DECIMALS),
        }))
        .filter(({ to }) => to !== vault),
  };
}

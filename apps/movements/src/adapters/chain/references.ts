import type { PublicClient } from 'viem';
import type { Hex, ReferenceTaker } from '../../ports/chain';
import { CUSTODY_ABI, MINTER_ABI } from './abi';
import type { Deployment } from './deployment';

type Read = <T>(pending: Promise<T>) => Promise<T>;

/** Whether the contract has taken the reference. */
export function readTaken(client: PublicClient, { minter, custody }: Deployment, by: ReferenceTaker, reference: Hex, read: Read): Promise<boolean> {
  switch (by) {
    case 'minter': return read(client.readContract({ address: minter, abi: MINTER_ABI, functionName: 'minted', args: [reference] }));
    case 'custody': return read(client.readContract({ address: custody, abi: CUSTODY_ABI, functionName: 'moved', args: [reference] }));
  }
}

/** The transaction in which the contract took the reference, null when there is none. */
export async function readTakenIn(client: PublicClient, { minter, custody }: Deployment, by: ReferenceTaker, reference: Hex, read: Read): Promise<Hex | null> {
  const range = { args: { ref: reference }, fromBlock: 'earliest', toBlock: 'latest' } as const;
  switch (by) {
    case 'minter': return first(await read(client.getContractEvents({ address: minter, abi: MINTER_ABI, eventName: 'Minted', ...range })));
    case 'custody': {
      const [tokens, nfts, redemptions] = await Promise.all([
        read(client.getContractEvents({ address: custody, abi: CUSTODY_ABI, eventName: 'TokenMoved', ...range })),
        read(client.getContractEvents({ address: custody, abi: CUSTODY_ABI, eventName: 'NftMoved', ...range })),
        read(client.getContractEvents({ address: custody, abi: CUSTODY_ABI, eventName: 'Redeemed', ...range })),
      ]);
      return first([...tokens, ...nfts, ...redemptions]);
    }
  }
}

const first = (logs: readonly { readonly transactionHash: Hex | null }[]): Hex | null => logs[0]?.transactionHash ?? null;

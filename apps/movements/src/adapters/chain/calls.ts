import { refuse } from '@ponte/kernel';
import { encodeFunctionData } from 'viem';
import type { ContractCall, MintWish, TransferWish } from '../../ports/chain';
import { MINTER_ABI, TOKEN_ABI } from './abi';
import { type Deployment, contractOf, issueOf } from './deployment';

/**
 * Gas limits, about twice what a first call to a new holder takes (measured: mint 102,196, shares 172,005, transfer 51,567).
 * Fixed, because an estimate made before the sender's earlier transactions are mined is wrong or fails.
 */
const MINT_GAS = 200_000n;
const MINT_SHARES_GAS = 400_000n;
const TRANSFER_GAS = 120_000n;

/** Refused with `asset-not-supported` for a token that somebody else issues. */
export function mintCall(deployment: Deployment, { reference, asset, to, units, mostBacking }: MintWish): ContractCall {
  const token = contractOf(deployment, asset);
  const issue = issueOf(asset);
  switch (issue) {
    case 'minted':
      return {
        to: deployment.minter,
        data: encodeFunctionData({ abi: MINTER_ABI, functionName: 'mint', args: [reference, token, to, units] }),
        gas: MINT_GAS,
      };
    case 'share': {
      if (mostBacking === undefined) throw new TypeError(`${asset} is a share: a mint must say what it may cost`);
      const args = [reference, token, to, units, mostBacking] as const;
      return {
        to: deployment.minter,
        data: encodeFunctionData({ abi: MINTER_ABI, functionName: 'mintShares', args }),
        gas: MINT_SHARES_GAS,
      };
    }
    case 'foreign':
      return refuse('asset-not-supported', `${asset} is issued by somebody else and cannot be minted`, 'asset');
  }
}

export function transferCall(deployment: Deployment, { asset, to, units }: TransferWish): ContractCall {
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [to, units] });
  return { to: contractOf(deployment, asset), data, gas: TRANSFER_GAS };
}

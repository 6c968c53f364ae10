import type { Chain } from '@ponte/kernel';
import { chainIdOf, refuse } from '@ponte/kernel';
import { encodeFunctionData, parseTransaction } from 'viem';
import type {
  ContractCall,
  Hex,
  MintRequest,
  RedemptionRequest,
  TokenSendRequest,
  TransferRequest,
} from '../chain.port';
import { walletAddress } from './custody';
import { type Deployment, contractOf, contractsIn, issueOf } from './deployment';
import { CALLS, lowerCase } from './rpc/abi';

/**
 * Gas limits, about twice what a first call to a new holder takes (measured: mint 102,196, shares 172,005, transfer
 * 51,567). Fixed, because an estimate made before the sender's earlier transactions are mined is wrong or fails.
 */
const MINT_GAS = 200_000n;
const MINT_SHARES_GAS = 400_000n;
const TRANSFER_GAS = 120_000n;
/**
 * Gas limits of a movement out of custody: for the call itself, and for each wallet, which may have to be deployed
 * (measured: 75,000 and 90,000).
 */
const SEND_GAS = 150_000n;
const SEND_GAS_PER_WALLET = 180_000n;
/** Gas limit of a redemption, without its wallets: the movement, the vault's work and the burn. */
const REDEEM_GAS = 300_000n;

/** The part of the chain port that needs only the addresses of the contracts. It never queries a node. */
export class DeployedContracts {
  readonly chain: Chain;
  readonly chainId: number;

  constructor(readonly deployment: Deployment) {
    this.chain = deployment.chain;
    this.chainId = chainIdOf(deployment.chain);
  }

  get contracts(): ReadonlySet<Hex> {
    return contractsIn(this.deployment);
  }

  walletAddress(salt: Hex): Hex {
    return walletAddress(this.deployment.custody, salt);
  }

  calledBy(raw: Hex): Hex | null {
    try {
      const { chainId, to } = parseTransaction(raw as `0x02${string}`);
      return chainId === this.chainId && to ? lowerCase(to) : null;
    } catch {
      return null;
    }
  }

  /** Refuses with `asset-not-supported` a token that another company issues. */
  mintCall({ reference, asset, to, units, mostBacking }: MintRequest): ContractCall {
    const { minter } = this.deployment;
    const token = contractOf(this.deployment, asset);
    const issue = issueOf(asset);
    switch (issue) {
      case 'minted': {
        const data = encodeFunctionData({ ...CALLS.mint, args: [reference, token, to, units] });
        return { to: minter, data, gas: MINT_GAS };
      }
      case 'share': {
        if (mostBacking === undefined) throw new TypeError(`${asset} is a vault share: its mint needs mostBacking`);
        const data = encodeFunctionData({ ...CALLS.mintShares, args: [reference, token, to, units, mostBacking] });
        return { to: minter, data, gas: MINT_SHARES_GAS };
      }
      case 'foreign':
        return refuse('asset-not-supported', `${asset} is issued by another company and cannot be minted`, 'asset');
    }
  }

  /** Moves tokens out of wallets in our custody, once per reference. */
  sendTokenCall({ reference, asset, to, units, wallets }: TokenSendRequest): ContractCall {
    const token = contractOf(this.deployment, asset);
    return {
      to: this.deployment.custody,
      data: encodeFunctionData({ ...CALLS.sendToken, args: [reference, token, to, units, wallets] }),
      gas: SEND_GAS + SEND_GAS_PER_WALLET * BigInt(wallets.length),
    };
  }

  /** Burns tokens out of wallets in our custody, or redeems vault shares and burns the proceeds; once per reference. */
  redeemCall({ reference, asset, units, leastBacking, wallets }: RedemptionRequest): ContractCall {
    const { custody } = this.deployment;
    const token = contractOf(this.deployment, asset);
    const gas = REDEEM_GAS + SEND_GAS_PER_WALLET * BigInt(wallets.length);
    const issue = issueOf(asset);
    switch (issue) {
      case 'minted': {
        const data = encodeFunctionData({ ...CALLS.redeemToken, args: [reference, token, units, wallets] });
        return { to: custody, data, gas };
      }
      case 'share': {
        if (leastBacking === undefined)
          throw new TypeError(`${asset} is a vault share: its redemption needs leastBacking`);
        const args = [reference, token, units, leastBacking, wallets] as const;
        return { to: custody, data: encodeFunctionData({ ...CALLS.redeemShares, args }), gas };
      }
      case 'foreign':
        return refuse('asset-not-supported', `${asset} is issued by another company and cannot be redeemed`, 'asset');
    }
  }

  transferCall({ asset, to, units }: TransferRequest): ContractCall {
    const data = encodeFunctionData({ ...CALLS.transfer, args: [to, units] });
    return { to: contractOf(this.deployment, asset), data, gas: TRANSFER_GAS };
  }
}

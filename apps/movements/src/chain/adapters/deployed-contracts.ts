import type { Chain } from '@ponte/kernel';
import { chainIdOf, refuse } from '@ponte/kernel';
import { encodeFunctionData, parseTransaction } from 'viem';
import type {
  BlockId,
  ContractCall,
  Hex,
  MintRequest,
  RedemptionRequest,
  TokenRequest,
  TokenSendRequest,
  TransferRequest,
} from '../chain.port';
import { type GasLimits, gasLimitsOn } from '../gas-limits.domain';
import { walletAddress } from './custody';
import { type Deployment, contractOf, contractsIn, issueOf } from './deployment';
import type { LogNode } from '../../transfer-logs/transfer-logs.port';
import { CALLS, lowerCase } from './rpc/abi';
import { seenByAny } from './rpc/agreement';
import { firstAnswer } from './rpc/first-answer';

/** The part of the chain port that is the same for every chain. */
export abstract class DeployedContracts {
  abstract readonly logNodes: readonly LogNode[];
  readonly chain: Chain;
  readonly chainId: number;
  private readonly gas: GasLimits;

  constructor(readonly deployment: Deployment) {
    this.chain = deployment.chain;
    this.chainId = chainIdOf(deployment.chain);
    this.gas = gasLimitsOn(deployment.chain);
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

  gasLimitOf(raw: Hex): bigint {
    const { gas = 0n } = parseTransaction(raw as `0x02${string}`);
    return gas;
  }

  minedCount(sender: Hex, block: BlockId): Promise<number> {
    return firstAnswer(this.logNodes, (node) => node.minedCount(sender, block));
  }

  /** One node that contradicts is enough: money is credited for the movement. */
  async agreedMovement(hash: Hex, request: TokenRequest): Promise<boolean> {
    return !(await seenByAny(this.logNodes, async (node) => !(await node.hasMovement(hash, request))));
  }

  /** Refuses with `asset-not-supported` a token that another company issues. */
  mintCall({ reference, asset, to, units, maxBacking }: MintRequest): ContractCall {
    const { minter } = this.deployment;
    const token = contractOf(this.deployment, asset);
    const issue = issueOf(asset);
    switch (issue) {
      case 'minted': {
        const data = encodeFunctionData({ ...CALLS.mint, args: [reference, token, to, units] });
        return { to: minter, data, gas: this.gas.mint };
      }
      case 'share': {
        if (maxBacking === undefined) throw new TypeError(`${asset} is a vault share: its mint needs maxBacking`);
        const data = encodeFunctionData({ ...CALLS.mintShares, args: [reference, token, to, units, maxBacking] });
        return { to: minter, data, gas: this.gas.mintShares };
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
      gas: this.gas.send(wallets.length),
    };
  }

  /** Burns tokens out of wallets in our custody, or redeems vault shares and burns the proceeds; once per reference. */
  redeemCall({ reference, asset, units, minBacking, wallets }: RedemptionRequest): ContractCall {
    const { custody } = this.deployment;
    const token = contractOf(this.deployment, asset);
    const gas = this.gas.redeem(wallets.length);
    const issue = issueOf(asset);
    switch (issue) {
      case 'minted': {
        const data = encodeFunctionData({ ...CALLS.redeemToken, args: [reference, token, units, wallets] });
        return { to: custody, data, gas };
      }
      case 'share': {
        if (minBacking === undefined) throw new TypeError(`${asset} is a vault share: its redemption needs minBacking`);
        const args = [reference, token, units, minBacking, wallets] as const;
        return { to: custody, data: encodeFunctionData({ ...CALLS.redeemShares, args }), gas };
      }
      case 'foreign':
        return refuse('asset-not-supported', `${asset} is issued by another company and cannot be redeemed`, 'asset');
    }
  }

  transferCall({ asset, to, units }: TransferRequest): ContractCall {
    const data = encodeFunctionData({ ...CALLS.transfer, args: [to, units] });
    return { to: contractOf(this.deployment, asset), data, gas: this.gas.transfer };
  }
}

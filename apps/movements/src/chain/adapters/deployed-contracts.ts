import type { Chain } from '@ponte/kernel';
import { chainIdOf } from '@ponte/kernel';
import type {
  ContractCall,
  Hex,
  MintRequest,
  RedemptionRequest,
  TokenSendRequest,
  TransferRequest,
} from '../chain.port';
import { walletAddress } from './custody';
import { type Deployment, contractsIn } from './deployment';
import { mintCall, redeemCall, sendTokenCall, transferCall } from './rpc/calls';

/** The part of a chain that follows from the addresses of the contracts alone: it asks no node. */
export abstract class DeployedContracts {
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

  mintCall(request: MintRequest): ContractCall {
    return mintCall(this.deployment, request);
  }

  sendTokenCall(request: TokenSendRequest): ContractCall {
    return sendTokenCall(this.deployment, request);
  }

  redeemCall(request: RedemptionRequest): ContractCall {
    return redeemCall(this.deployment, request);
  }

  transferCall(request: TransferRequest): ContractCall {
    return transferCall(this.deployment, request);
  }
}

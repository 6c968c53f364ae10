import { Unavailable } from '@ponte/kernel';
import { BaseError, ContractFunctionRevertedError } from 'viem';
import type { CertificateChain, CertificateMovement, CertificateSend, ContractCall, Hex } from '../../chain.port';
import { CERTIFICATE_ABI } from './abi';
import { outageOf } from './broadcast-outcome';
import { certificateMintCall, certificatesOf, movesCertificate, sendCertificateCall } from './certificates';
import type { Deployment } from '../deployment';
import type { NodeHeads } from '../nodes/node-heads';
import type { ChainNode } from './node';
import { firstFound } from './first-answer';

/** The certificates of a chain that is reached over JSON-RPC. */
export class NodeCertificates implements CertificateChain {
  constructor(
    private readonly reads: Pick<NodeHeads<ChainNode>, 'answer'>,
    private readonly nodes: readonly ChainNode[],
    private readonly deployment: Deployment,
  ) {}

  mintCall(reference: Hex, to: Hex): ContractCall {
    return certificateMintCall(this.deployment, reference, to);
  }

  sendCall(movement: CertificateSend): ContractCall {
    return sendCertificateCall(this.deployment, movement);
  }

  ownerOf(certificate: Hex): Promise<Hex | null> {
    return this.reads.answer((node) => this.ownerAt(node, certificate));
  }

  private async ownerAt({ client }: ChainNode, certificate: Hex): Promise<Hex | null> {
    const address = certificatesOf(this.deployment);
    const args = [BigInt(certificate)] as const;
    try {
      const owner = await client.readContract({ address, abi: CERTIFICATE_ABI, functionName: 'ownerOf', args });
      return owner.toLowerCase() as Hex;
    } catch (error) {
      // Only a revert by the contract means that the token does not exist.
      const reverted =
        error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError) !== null;
      if (reverted) return null;
      throw new Unavailable('chain-unavailable', outageOf(error));
    }
  }

  async moved(hash: Hex, movement: CertificateMovement): Promise<boolean> {
    const logs = await firstFound(this.nodes, (node) => node.logsOf(hash));
    if (logs === null) throw new Unavailable('chain-unavailable', 'no node has the receipt of the transaction');
    return movesCertificate(logs, this.deployment, movement);
  }
}

import { Unavailable } from '@ponte/kernel';
import type { PublicClient } from 'viem';
import type { CertificateChain, CertificateMovement, CertificateSend, ContractCall, Hex } from '../../chain.port';
import { outageOf } from './broadcast-outcome';
import {
  certificateMintCall,
  certificateOwner,
  certificatesOf,
  movesCertificate,
  sendCertificateCall,
} from './certificates';
import type { Deployment } from '../deployment';
import type { ChainNode } from './node';
import { firstAnswer } from './node';

/** The certificates of a chain that is reached over JSON-RPC. */
export class NodeCertificates implements CertificateChain {
  constructor(
    private readonly client: PublicClient,
    private readonly nodes: readonly ChainNode[],
    private readonly deployment: Deployment,
  ) {}

  mintCall(reference: Hex, to: Hex): ContractCall {
    return certificateMintCall(this.deployment, reference, to);
  }

  sendCall(movement: CertificateSend): ContractCall {
    return sendCertificateCall(this.deployment, movement);
  }

  async ownerOf(certificate: Hex): Promise<Hex | null> {
    certificatesOf(this.deployment);
    try {
      return await certificateOwner(this.client, this.deployment, certificate);
    } catch (error) {
      throw new Unavailable('chain-unavailable', outageOf(error));
    }
  }

  async moved(hash: Hex, movement: CertificateMovement): Promise<boolean> {
    const logs = await firstAnswer(this.nodes, (node) => node.logsOf(hash));
    return movesCertificate(logs ?? [], this.deployment, movement);
  }
}

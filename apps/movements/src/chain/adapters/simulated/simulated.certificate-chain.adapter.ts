import { Unavailable } from '@ponte/kernel';
import type { CertificateChain, CertificateMovement, Hex } from '../../chain.port';
import { certificateMintCall, certificatesOf, sendCertificateCall } from '../rpc/certificates';
import type { Deployment } from '../deployment';

/** The reward certificates of a simulated chain. */
export class SimulatedCertificates {
  private readonly owners = new Map<Hex, Hex>();
  private readonly movements = new Map<Hex, CertificateMovement>();

  ownerOf(certificate: Hex): Hex | null {
    return this.owners.get(certificate) ?? null;
  }

  moved(hash: Hex, { certificate, from, to }: CertificateMovement): boolean {
    const made = this.movements.get(hash);
    return made?.certificate === certificate && made.from === from && made.to === to;
  }

  mint(hash: Hex, certificate: Hex, to: Hex): void {
    this.owners.set(certificate, to);
    this.movements.set(hash, { certificate, from: `0x${'0'.repeat(40)}`, to });
  }

  /** Returns null, or the name of the error with which the call reverts. */
  move(hash: Hex, movement: CertificateMovement): string | null {
    const owner = this.ownerOf(movement.certificate);
    if (owner === null) return 'ERC721NonexistentToken';
    if (owner !== movement.from) return 'ERC721InsufficientApproval';
    this.owners.set(movement.certificate, movement.to);
    this.movements.set(hash, movement);
    return null;
  }
}

/** The certificate port of a simulated chain. `answer` rejects while the chain is not reachable. */
export function simulatedCertificates(
  deployment: Deployment,
  answer: <T>(read: (certificates: SimulatedCertificates) => T) => Promise<T>,
  isMined: (hash: Hex) => boolean,
): CertificateChain {
  return {
    mintCall: (reference, to) => certificateMintCall(deployment, reference, to),
    sendCall: (movement) => sendCertificateCall(deployment, movement),
    async ownerOf(certificate) {
      certificatesOf(deployment);
      return answer((certificates) => certificates.ownerOf(certificate));
    },
    moved: (hash, movement) =>
      answer((certificates) => {
        if (!isMined(hash)) throw new Unavailable('chain-unavailable', 'the node has no receipt of the transaction');
        return certificates.moved(hash, movement);
      }),
  };
}

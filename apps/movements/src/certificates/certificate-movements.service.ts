import { Inject, Injectable } from '@nestjs/common';
import { referenceOf } from '../token-movement/chain-values.domain';
import type { EvmChain, Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { CERTIFICATE_CHAIN, NO_ADDRESS } from './certificate-purpose';

/** Reads the owners of certificates from the chain. Rejects with `Unavailable` when no node answers. */
@Injectable()
export class CertificateMovements {
  constructor(@Inject(SERVED_CHAINS) private readonly chains: ServedChains) {}

  get evm(): EvmChain {
    return this.chains.of(CERTIFICATE_CHAIN).evm;
  }

  /** Whether the address owns the certificate at the newest block. */
  async isHeldBy(certificateId: string, address: string): Promise<boolean> {
    return (await this.evm.certificates.ownerOf(referenceOf(certificateId))) === address;
  }

  /**
   * Throws unless the transaction, which is known to have succeeded, moved the certificate this way; `from` is null for
   * a mint. The movement is read from the receipt, because the current owner may be a later one.
   */
  async assertMoved(
    txHash: string,
    { certificateId, from, to }: { readonly certificateId: string; readonly from: string | null; readonly to: string },
  ): Promise<void> {
    const movement = { certificate: referenceOf(certificateId), from: (from ?? NO_ADDRESS) as Hex, to: to as Hex };
    if (await this.evm.certificates.moved(txHash as Hex, movement)) return;
    throw new Error(`transaction ${txHash} did not move certificate ${certificateId} to ${to}`);
  }
}

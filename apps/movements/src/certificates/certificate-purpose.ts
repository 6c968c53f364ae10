import type { CertificatePurpose } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import { isUuid, refuse } from '@ponte/kernel';
import { referenceOf, addressAt } from '../token-movement/chain-values.domain';
import type { CertificateMovement, ContractCall, EvmChain, Hex } from '../chain/chain.port';

export const NO_ADDRESS = `0x${'0'.repeat(40)}` as const;

/** The chain of the reward certificates. */
export const CERTIFICATE_CHAIN: Chain = 'eth-base';

/** Returns the terms in canonical form. Refuses terms that cannot be executed. */
export function acceptableCertificatePurpose(terms: CertificatePurpose): CertificatePurpose {
  if (!isUuid(terms.id)) refuse('invalid-format', 'must be a UUID', 'id');
  switch (terms.kind) {
    case 'certificate-mint': {
      const { kind, id, accountId, to } = terms;
      return { kind, id, accountId, to: addressAt('wallet-address', to) };
    }
    case 'nft-movement': {
      const { kind, id, accountId, certificateId, walletId, from, to } = terms;
      const addresses = { from: addressAt('source-address', from), to: addressAt('target-address', to) };
      return { kind, id, accountId, certificateId, walletId, ...addresses };
    }
  }
}

/** How the certificate moves; from no address for a mint. */
export const certificateMovementOf = (purpose: CertificatePurpose): CertificateMovement =>
  purpose.kind === 'certificate-mint'
    ? { certificate: referenceOf(purpose.id), from: NO_ADDRESS, to: purpose.to as Hex }
    : { certificate: referenceOf(purpose.certificateId), from: purpose.from as Hex, to: purpose.to as Hex };

/** The contract call of the purpose. Refuses with `asset-not-supported` on a chain without certificates. */
export function certificateCallOf(evm: EvmChain, purpose: CertificatePurpose): ContractCall {
  const [reference, to] = [referenceOf(purpose.id), purpose.to as Hex];
  switch (purpose.kind) {
    case 'certificate-mint':
      return evm.certificates.mintCall(reference, to);
    case 'nft-movement': {
      const [certificate, wallet] = [referenceOf(purpose.certificateId), referenceOf(purpose.walletId)];
      return evm.certificates.sendCall({ reference, certificate, wallet, to });
    }
  }
}

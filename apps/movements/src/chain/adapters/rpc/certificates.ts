import { refuse } from '@ponte/kernel';
import { encodeEventTopics, encodeFunctionData } from 'viem';
import type { CertificateMovement, CertificateSend, ContractCall, Hex } from '../../chain.port';
import { gasLimitsOn } from '../../gas-limits.domain';
import { CALLS, CERTIFICATE_ABI } from './abi';
import type { Deployment } from '../deployment';

/** Address of the certificate contract. Refuses with `asset-not-supported` on a chain that does not have it. */
export const certificatesOf = ({ chain, certificates }: Pick<Deployment, 'chain' | 'certificates'>): Hex =>
  certificates ?? refuse('asset-not-supported', `reward certificates have no contract on ${chain}`);

/** Mints a certificate to an address, once per reference. */
export const certificateMintCall = (deployment: Deployment, reference: Hex, to: Hex): ContractCall => ({
  to: certificatesOf(deployment),
  data: encodeFunctionData({ ...CALLS.mintCertificate, args: [reference, to] }),
  gas: gasLimitsOn(deployment.chain).mintCertificate,
});

/** Moves a certificate out of a wallet in our custody, once per reference. */
export const sendCertificateCall = (
  deployment: Deployment,
  { reference, certificate, wallet, to }: CertificateSend,
): ContractCall => ({
  to: deployment.custody,
  data: encodeFunctionData({
    ...CALLS.sendNft,
    args: [reference, wallet, certificatesOf(deployment), to, BigInt(certificate)],
  }),
  gas: gasLimitsOn(deployment.chain).sendCertificate,
});

/** A log of a receipt, as the node returns it. */
export interface ReceiptLog {
  readonly address: Hex;
  readonly topics: readonly (Hex | null)[];
}

/** Whether the logs of one receipt show that the token moved from the one address to the other. */
export function movesCertificate(
  logs: readonly ReceiptLog[],
  deployment: Deployment,
  { certificate, from, to }: CertificateMovement,
): boolean {
  const address = certificatesOf(deployment);
  const args = { from, to, tokenId: BigInt(certificate) };
  const topics = encodeEventTopics({ abi: CERTIFICATE_ABI, eventName: 'Transfer', args });
  const isIt = (log: ReceiptLog): boolean =>
    log.address.toLowerCase() === address &&
    log.topics.length === topics.length &&
    topics.every((topic, at) => log.topics[at] === topic);
  return logs.some(isIt);
}

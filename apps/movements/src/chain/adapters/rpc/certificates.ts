import { refuse } from '@ponte/kernel';
import { encodeEventTopics, encodeFunctionData } from 'viem';
import type { CertificateMovement, CertificateSend, ContractCall, Hex } from '../../chain.port';
import { CALLS, CERTIFICATE_ABI } from './abi';
import type { Deployment } from '../deployment';

/**
 * Gas limits, about twice what a first call takes (measured: a mint 98,000, a movement with the deployment of its
 * wallet 205,000).
 */
const MINT_GAS = 250_000n;
/** Also limits how much of our gas a receiving contract can spend. */
const SEND_GAS = 450_000n;

/** Address of the certificate contract. Refuses with `asset-not-supported` on a chain that does not have it. */
export const certificatesOf = ({ chain, certificates }: Pick<Deployment, 'chain' | 'certificates'>): Hex =>
  certificates ?? refuse('asset-not-supported', `reward certificates have no contract on ${chain}`);

/** Mints a certificate to an address, once per reference. */
export const certificateMintCall = (deployment: Deployment, reference: Hex, to: Hex): ContractCall => ({
  to: certificatesOf(deployment),
  data: encodeFunctionData({ ...CALLS.mintCertificate, args: [reference, to] }),
  gas: MINT_GAS,
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
  gas: SEND_GAS,
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

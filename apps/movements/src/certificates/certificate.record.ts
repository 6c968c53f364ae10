import type { CertificateRecord } from '@ponte/contracts';
import { pick } from '@ponte/kernel';
import type { Certificate } from './certificate.decider';
import { holderOf } from './certificate.decider';

/** The record for each account that has or had the certificate, the current holder last. */
export function certificateRecords(state: Certificate): CertificateRecord[] {
  if (state.status === 'absent') return [];
  const { terms, txHash, failure, since: statusUpdatedAt } = state;
  const holder = holderOf(state);
  return state.holdings.map((held) => ({
    id: terms.certificateId,
    accountId: held.accountId,
    walletAddress: held.address,
    ...pick(terms, 'amount', 'rewardTier', 'issuedBy'),
    status: held === holder ? state.status : ('transferred' as const),
    statusUpdatedAt,
    createdAt: terms.issuedAt,
    txHash,
    failure,
  }));
}

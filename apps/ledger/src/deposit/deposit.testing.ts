import type { DepositCreated } from '@ponte/contracts';
import { depositIdOf } from './deposit.state';

export const NOW = '2026-11-20T12:00:00.000Z';

/** The facts of a Pix that named no account, with other fields from `more`. */
export const factsOf = (
  endToEndId: string,
  amount = '100.00',
  more: Partial<DepositCreated['data']> = {},
): DepositCreated['data'] => ({
  depositId: depositIdOf(endToEndId),
  accountId: null,
  parentId: null,
  type: 'pix',
  asset: 'fiat/brl',
  amount,
  endToEndId,
  orderId: null,
  coordinates: {
    sourceTaxId: 'sealed:v1:x',
    sourceTaxIdFingerprint: 'f',
    sourceLegalName: 'sealed:v1:x',
    sourceBankCode: '12345678',
    sourceType: 'checking',
    sourceAccountNumber: 'sealed:v1:x',
    sourceBranchCode: 'sealed:v1:x',
    target: 'T',
  },
  settledAt: NOW,
  createdAt: NOW,
  ...more,
});

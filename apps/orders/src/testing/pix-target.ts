import type { PixPayee } from '@ponte/contracts';

/** A Pix key of the holder and the key's owner, sealed as the ledger does. */
export const PIX_TARGET: PixPayee = {
  pixKey: 'sealed:v1:holder:1',
  payee: {
    legalName: 'sealed:v1:holder:2',
    taxId: 'sealed:v1:holder:3',
    taxIdFingerprint: 'f',
    bankCode: '60746948',
    branchCode: 'sealed:v1:holder:4',
    accountNumber: 'sealed:v1:holder:5',
  },
};

/**
 * The owner of a bank account that Ponte pays, and the account. Not encrypted: it must not leave the command that seals
 * it.
 */
export interface Payee {
  /** CPF or CNPJ, normalised. */
  readonly taxId: string;
  readonly legalName: string;
  /** ISPB (8 characters) or, for a TED, COMPE (3 digits). */
  readonly bankCode: string;
  readonly branchCode: string;
  /** For a TED: digits, a dash and the check digit. */
  readonly accountNumber: string;
}

import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { isSealed } from '@ponte/event-sourcing';
import type { TaxId, Violation } from '@ponte/kernel';
import { derivedId, parseTaxId, refuseAll, violation } from '@ponte/kernel';

/** A person or company in messages and events. */
export interface SealedHolder {
  /** Subject under which personal fields are sealed; a person has the same subject in all streams. */
  readonly holderId: string;
  readonly legalName: Sealed;
  /** CPF or CNPJ without punctuation, sealed. */
  readonly taxId: Sealed;
  /** Keyed hash of the CPF or CNPJ: `PersonalData.fingerprint('tax-id', digits)`. */
  readonly taxIdFingerprint: string;
}

export interface SealedBankAccount {
  /** COMPE (3 digits) or ISPB (8 characters). It identifies a bank, so it is not personal data. */
  readonly bankCode: string;
  readonly branch: Sealed;
  readonly number: Sealed;
}

export interface ClearHolder {
  readonly legalName: string;
  /** CPF or CNPJ, with or without punctuation. */
  readonly taxId: string;
}

export interface ClearBankAccount {
  readonly bankCode: string;
  readonly branch: string;
  readonly number: string;
}

/** Texts of an account that are stored in clear, so they must not identify the holder. */
export interface ShownTexts {
  readonly alias: string;
  readonly externalId: string | null;
}

type Sealing = Pick<PersonalData, 'seal' | 'fingerprint'>;

const LEGAL_NAME_MAX = 200;
const BANK_CODE = /^(?:\d{3}|[0-9A-Z]{8})$/;
const BANK_ACCOUNT_FORMS = [
  ['bankCode', 'bank-code', BANK_CODE, '3 digits or the 8 characters of an ISPB'],
  ['branch', 'branch-number', /^\d{1,4}$/, '1 to 4 digits'],
  ['number', 'account-number', /^\d{1,19}-?[\dXP]$/i, '1 to 19 digits and a check digit, which may be X or P'],
] as const;

/** The sealing subject of a person's fields. */
export const holderIdOf = (taxIdFingerprint: string): string => derivedId('person', taxIdFingerprint);

/**
 * The sealing subject of a payer whom the bank named without a valid tax id. Each such deposit has one, because nothing
 * links it to other data of the person.
 */
export const unidentifiedPayerIdOf = (depositId: string): string => derivedId('person', 'payer', depositId);

/** The sealing subject of a payee who is not the holder of the paying account. Each withdrawal has one. */
export const otherPayeeIdOf = (withdrawalId: string): string => derivedId('person', 'payee', withdrawalId);

/** Whether the text is a COMPE or ISPB code. */
export const isBankCode = (text: string): boolean => BANK_CODE.test(text);

/** Whether the value is sealed under this subject: only then does shredding the subject's key erase it. */
export const isSealedFor = (subject: string, value: unknown): value is Sealed =>
  typeof value === 'string' && value.startsWith(`sealed:v1:${subject}:`);

/** The subject under which the value is sealed. Throws a TypeError if it is not sealed. */
export function sealingSubjectOf(value: Sealed): string {
  const subject = value.split(':')[2];
  if (!isSealed(value) || subject === undefined || subject === '') throw new TypeError('the value is not sealed');
  return subject;
}

/**
 * Seals the holder of an account. Refuses `invalid-tax-id`, and `invalid-format` for the name or for a shown text that
 * identifies the holder. A refusal never repeats the refused text.
 */
export async function sealHolder(personalData: Sealing, clear: ClearHolder, shown: ShownTexts): Promise<SealedHolder> {
  const legalName = clear.legalName.trim();
  const parsed = parseTaxId(clear.taxId);
  refuseAll([
    ...(legalName.length >= 1 && legalName.length <= LEGAL_NAME_MAX
      ? []
      : [violation('invalid-format', 'legal-name', `a legal name must be 1 to ${LEGAL_NAME_MAX} characters`)]),
    ...(parsed ? [] : [violation('invalid-tax-id', 'tax-id', 'must be a CPF or CNPJ with valid check digits')]),
    ...revealingTextViolations(legalName, parsed, shown),
  ]);
  const { value } = parsed as TaxId;
  const taxIdFingerprint = personalData.fingerprint('tax-id', value);
  const holderId = holderIdOf(taxIdFingerprint);
  const sealedName = await personalData.seal(holderId, legalName);
  return { holderId, legalName: sealedName, taxId: await personalData.seal(holderId, value), taxIdFingerprint };
}

/** Seals the holder's bank account. Refuses `invalid-bank-account` for every invalid field. */
export async function sealBankAccount(
  personalData: Sealing,
  holderId: string,
  clear: ClearBankAccount,
): Promise<SealedBankAccount> {
  refuseAll(
    BANK_ACCOUNT_FORMS.flatMap(([member, path, form, wanted]) =>
      form.test(clear[member]) ? [] : [violation('invalid-bank-account', `bank-account.${path}`, `must be ${wanted}`)],
    ),
  );
  const branch = await personalData.seal(holderId, clear.branch);
  const number = await personalData.seal(holderId, clear.number.toUpperCase());
  return { bankCode: clear.bankCode, branch, number };
}

/** Finds shown texts that identify the holder: a tax id, or the name of a person. A company's name is public. */
function revealingTextViolations(legalName: string, taxId: TaxId | undefined, shown: ShownTexts): Violation[] {
  const reveals = (text: string) => {
    const bare = text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
    return (
      taxId !== undefined &&
      (bare.includes(taxId.value) ||
        (taxId.kind === 'cpf' && legalName !== '' && folded(text).includes(folded(legalName))))
    );
  };
  return (
    [
      ['alias', shown.alias],
      ['external-id', shown.externalId ?? ''],
    ] as const
  )
    .filter(([, text]) => reveals(text))
    .map(([path]) =>
      violation(
        'invalid-format',
        path,
        'must not contain the name or tax id of the holder, because it is stored unencrypted',
      ),
    );
}

const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase();

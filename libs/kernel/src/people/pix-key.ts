import { isUuid } from '../ids';
import { parseCnpj, parseCpf } from './tax-id';

export interface PixKey {
  readonly kind: 'evp' | 'email' | 'phone' | 'cpf' | 'cnpj';
  /** In the form in which the key directory stores it. */
  readonly value: string;
}

const EMAIL_MAX_LENGTH = 77;
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const PHONE = /^\+55[1-9][1-9](?:9\d{8}|[2-5]\d{7})$/;

/** The message for a text that is not a Pix key. */
export const PIX_KEY_FORM =
  'must be a CPF, a CNPJ or a phone number such as +5511987654321, without punctuation, an e-mail address, or a random ' +
  'key (UUID)';

/**
 * Determines the kind of a Pix key from its form, checking the kinds in the directory's order; undefined if it is not a
 * key. The directory stores keys in one case (e-mail and EVP in lower case, CNPJ in upper case), so the case is
 * converted, and nothing else.
 */
export function pixKeyOf(text: string): PixKey | undefined {
  if (typeof text !== 'string' || text.length > EMAIL_MAX_LENGTH) return undefined;
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (isUuid(lower)) return { kind: 'evp', value: lower };
  if (text.includes('@')) return keyWhen('email', EMAIL.test(lower) ? lower : undefined);
  if (text.startsWith('+')) return keyWhen('phone', PHONE.test(text) ? text : undefined);
  if (/^\d{11}$/.test(text)) return keyWhen('cpf', parseCpf(text));
  if (/^[0-9A-Za-z]{14}$/.test(text)) return keyWhen('cnpj', parseCnpj(text));
  return undefined;
}

function keyWhen(kind: PixKey['kind'], value: string | undefined): PixKey | undefined {
  return value === undefined ? undefined : { kind, value };
}

import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';

const CPF_FORM = /^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/;
const CNPJ_FORM = /^[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}\/?[0-9A-Za-z]{4}-?\d{2}$/;
/** Letters are allowed since 2026. */
const ALPHANUMERIC = { version: 2 } as const;

export interface TaxId {
  readonly kind: 'cpf' | 'cnpj';
  /** 11 digits, or 14 upper-case characters. A string, never a number. */
  readonly value: string;
}

/**
 * The 11 digits of a valid CPF, with or without punctuation; undefined otherwise. Repetitions of one digit are invalid.
 */
export function parseCpf(text: string): string | undefined {
  return typeof text === 'string' && CPF_FORM.test(text) && isValidCpf(text) ? text.replace(/[.-]/g, '') : undefined;
}

/** The 14 characters of a valid CNPJ, with or without punctuation; undefined otherwise. */
export function parseCnpj(text: string): string | undefined {
  return typeof text === 'string' && CNPJ_FORM.test(text) && isValidCnpj(text, ALPHANUMERIC)
    ? text.replace(/[./-]/g, '').toUpperCase()
    : undefined;
}

/** A CPF or CNPJ with valid check digits, with or without punctuation; undefined otherwise. */
export function parseTaxId(text: string): TaxId | undefined {
  const cpf = parseCpf(text);
  if (cpf !== undefined) return { kind: 'cpf', value: cpf };
  const cnpj = parseCnpj(text);
  return cnpj === undefined ? undefined : { kind: 'cnpj', value: cnpj };
}

/** `***.982.247-**`. Anything that is not 11 digits is masked completely. */
export function maskCpf(cpf: string): string {
  return /^\d{11}$/.test(cpf) ? `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**` : '***';
}

/** A CPF or a CNPJ (`**.ABC.345/****-**`) with only its middle visible. Anything else is masked completely. */
export function maskTaxId(value: string): string {
  return /^[0-9A-Z]{12}\d{2}$/.test(value) ? `**.${value.slice(2, 5)}.${value.slice(5, 8)}/****-**` : maskCpf(value);
}

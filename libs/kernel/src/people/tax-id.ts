const CPF_FORM = /^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/;
const CNPJ_FORM = /^[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}\/?[0-9A-Za-z]{4}-?\d{2}$/;
const ONE_CHARACTER_REPEATED = /^(.)\1*$/;

/** Weights start at 2 on the right. For a CPF they grow up to 11; for a CNPJ they restart at 2 after 9. */
const CPF_LAST_WEIGHT = 11;
const CNPJ_LAST_WEIGHT = 9;

export interface TaxId {
  readonly kind: 'cpf' | 'cnpj';
  /** 11 digits, or 14 upper-case characters. A string, never a number. */
  readonly value: string;
}

/**
 * The 11 digits of a valid CPF, with or without punctuation; undefined otherwise. Repetitions of one digit are invalid.
 */
export function parseCpf(text: string): string | undefined {
  return typeof text === 'string' && CPF_FORM.test(text)
    ? withCheckDigits(text.replace(/[.-]/g, ''), CPF_LAST_WEIGHT)
    : undefined;
}

/**
 * The 14 characters of a valid CNPJ, with or without punctuation; undefined otherwise. Letters are allowed since 2026.
 */
export function parseCnpj(text: string): string | undefined {
  return typeof text === 'string' && CNPJ_FORM.test(text)
    ? withCheckDigits(text.replace(/[./-]/g, '').toUpperCase(), CNPJ_LAST_WEIGHT)
    : undefined;
}

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

function withCheckDigits(value: string, lastWeight: number): string | undefined {
  if (ONE_CHARACTER_REPEATED.test(value)) return undefined;
  const body = value.slice(0, -2);
  const first = checkDigit(body, lastWeight);
  return value === body + first + checkDigit(body + first, lastWeight) ? value : undefined;
}

/** Modulo 11 over each character's ASCII code minus 48, so that letters have values above those of the digits. */
function checkDigit(body: string, lastWeight: number): string {
  const weights = lastWeight - 1;
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    sum += (body.charCodeAt(body.length - 1 - i) - 48) * (2 + (i % weights));
  }
  const rest = sum % 11;
  return rest < 2 ? '0' : String(11 - rest);
}

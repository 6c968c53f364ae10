import type { Setting, SettingsReader } from '@ponte/kernel';
import { readEach } from '@ponte/kernel';
import type { BankApiSettings } from './ledger-settings.port';

/** What the variables of a bank's API mean: its address, and our credentials for it. */
const MEANINGS = {
  url: 'base URL of the API of the bank, https:// without a trailing slash',
  tokenUrl: 'URL of the OAuth2 token endpoint of the bank (client credentials)',
  clientId: 'the OAuth2 client id',
  clientSecretFile: 'file with the client secret',
  certificateFile: 'file with our certificate for mutual TLS, PEM',
  keyFile: 'file with the private key of that certificate, PEM',
  caFile: "file with the CA of the bank's certificate, PEM; empty to use the system's CAs",
  timeoutMs: 'timeout in milliseconds for one request to the bank, at most 60000',
} as const;

const forApiPix = (meaning: string): string => `for \`api-pix\`: ${meaning}`;
const forHttp = (meaning: string): string => `for \`http\`: ${meaning}`;

/** The bank that receives Pix, with `LEDGER_PIX_RAIL=api-pix`. */
export const PIX_BANK_VARIABLES: readonly Setting[] = [
  { name: 'LEDGER_PIX_BANK_URL', meaning: forApiPix(MEANINGS.url), default: '' },
  { name: 'LEDGER_PIX_BANK_TOKEN_URL', meaning: forApiPix(MEANINGS.tokenUrl), default: '' },
  { name: 'LEDGER_PIX_BANK_CLIENT_ID', meaning: forApiPix(MEANINGS.clientId), default: '' },
  { name: 'LEDGER_PIX_BANK_CLIENT_SECRET_FILE', meaning: forApiPix(MEANINGS.clientSecretFile), default: '' },
  { name: 'LEDGER_PIX_BANK_CERTIFICATE_FILE', meaning: forApiPix(MEANINGS.certificateFile), default: '' },
  { name: 'LEDGER_PIX_BANK_KEY_FILE', meaning: forApiPix(MEANINGS.keyFile), default: '' },
  { name: 'LEDGER_PIX_BANK_CA_FILE', meaning: forApiPix(MEANINGS.caFile), default: '' },
  { name: 'LEDGER_PIX_BANK_TIMEOUT_MS', meaning: forApiPix(MEANINGS.timeoutMs), default: '5000' },
];

/** The bank that pays out, with `LEDGER_PAYOUT_RAIL=http`. */
export const PAYOUT_BANK_VARIABLES: readonly Setting[] = [
  { name: 'LEDGER_PAYOUT_URL', meaning: forHttp(MEANINGS.url), default: '' },
  { name: 'LEDGER_PAYOUT_TOKEN_URL', meaning: forHttp(MEANINGS.tokenUrl), default: '' },
  { name: 'LEDGER_PAYOUT_CLIENT_ID', meaning: forHttp(MEANINGS.clientId), default: '' },
  { name: 'LEDGER_PAYOUT_CLIENT_SECRET_FILE', meaning: forHttp(MEANINGS.clientSecretFile), default: '' },
  { name: 'LEDGER_PAYOUT_CERTIFICATE_FILE', meaning: forHttp(MEANINGS.certificateFile), default: '' },
  { name: 'LEDGER_PAYOUT_KEY_FILE', meaning: forHttp(MEANINGS.keyFile), default: '' },
  { name: 'LEDGER_PAYOUT_CA_FILE', meaning: forHttp(MEANINGS.caFile), default: '' },
  { name: 'LEDGER_PAYOUT_TIMEOUT_MS', meaning: forHttp(MEANINGS.timeoutMs), default: '5000' },
];

/** Whether a text is an https URL without a trailing slash, to which paths are appended. */
export const isBaseUrl = (text: string): boolean => /^https:\/\/[^\s]*[^/\s]$/.test(text);

const MAX_TIMEOUT_MS = 60_000;

/** The variable that selects a bank, and its value for a bank with an API. */
interface RailChoice {
  readonly variable: string;
  readonly rail: string;
}

/**
 * Reads the variables with this prefix; null if the bank is simulated. Throws an error that names a variable
 * that is missing or malformed.
 */
export function readBankApi(settings: SettingsReader, prefix: string, choice: RailChoice): BankApiSettings | null {
  const isSimulated = settings.oneOf(choice.variable, ['simulator', choice.rail]) === 'simulator';
  const timeoutMs = settings.wholeNumber(`${prefix}_TIMEOUT_MS`, 1, MAX_TIMEOUT_MS);
  if (isSimulated) return null;
  const missing = (name: string): never => {
    throw new Error(
      `${prefix}_${name} is required with ${choice.variable}=${choice.rail}; URLs must start with https:// and have no trailing slash`,
    );
  };
  const needed = (name: string): string => settings.optional(`${prefix}_${name}`) ?? missing(name);
  const url = (name: string): string => {
    const value = needed(name);
    return isBaseUrl(value) ? value : missing(name);
  };
  return readEach({
    url: () => url('URL'),
    tokenUrl: () => url('TOKEN_URL'),
    clientId: () => needed('CLIENT_ID'),
    clientSecretFile: () => needed('CLIENT_SECRET_FILE'),
    certificateFile: () => needed('CERTIFICATE_FILE'),
    keyFile: () => needed('KEY_FILE'),
    caFile: () => settings.optional(`${prefix}_CA_FILE`),
    timeoutMs: () => timeoutMs,
  });
}

import type { Setting, SettingsReader } from '@ponte/kernel';
import type { BankApiSettings } from './ledger-settings.port';

/** The variables of a bank's API: its address, and our credentials for it. */
function bankVariables(prefix: string, rail: string): readonly Setting[] {
  const variable = (name: string, meaning: string, otherwise = ''): Setting => ({
    name: `${prefix}_${name}`,
    meaning: `for \`${rail}\`: ${meaning}`,
    default: otherwise,
  });
  return [
    variable('URL', 'base URL of the API of the bank, https:// without a trailing slash'),
    variable('TOKEN_URL', 'URL of the OAuth2 token endpoint of the bank (client credentials)'),
    variable('CLIENT_ID', 'the OAuth2 client id'),
    variable('CLIENT_SECRET_FILE', 'file with the client secret'),
    variable('CERTIFICATE_FILE', 'file with our certificate for mutual TLS, PEM'),
    variable('KEY_FILE', 'file with the private key of that certificate, PEM'),
    variable('CA_FILE', "file with the CA of the bank's certificate, PEM; empty to use the system's CAs"),
    variable('TIMEOUT_MS', 'timeout in milliseconds for one request to the bank, at most 60000', '5000'),
  ];
}

/** The bank that receives Pix, with `LEDGER_PIX_RAIL=api-pix`. */
export const PIX_BANK_VARIABLES = bankVariables('LEDGER_PIX_BANK', 'api-pix');

/** The bank that pays out, with `LEDGER_PAYOUT_RAIL=http`. */
export const PAYOUT_BANK_VARIABLES = bankVariables('LEDGER_PAYOUT', 'http');

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
  return {
    url: url('URL'),
    tokenUrl: url('TOKEN_URL'),
    clientId: needed('CLIENT_ID'),
    clientSecretFile: needed('CLIENT_SECRET_FILE'),
    certificateFile: needed('CERTIFICATE_FILE'),
    keyFile: needed('KEY_FILE'),
    caFile: settings.optional(`${prefix}_CA_FILE`),
    timeoutMs,
  };
}

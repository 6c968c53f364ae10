import type { Setting, Variables } from '@ponte/kernel';
import type { Environment, ServiceSettings } from '@ponte/nest';
import { isCalendarDate, readEach, SettingsReader } from '@ponte/kernel';
import { isBaseUrl, PAYOUT_BANK_VARIABLES, PIX_BANK_VARIABLES, readBankApi } from './bank-api.config';
import { readWithdrawalLimits, WITHDRAWAL_LIMITS } from './daily-allowance/daily-limits.config';
import { LOOK_UP_LIMITS, readLookUpLimits } from './key-directory/look-up-limits.config';
import type { LedgerSettings, PixBankSettings } from './ledger-settings.port';
import { TAKE_BACK_DAYS } from './pix-charge/pix-charges.port';

/** Every variable that this service reads. */
export const LEDGER_VARIABLES: readonly Setting[] = [
  {
    name: 'LEDGER_PIX_RAIL',
    meaning:
      "the bank that receives Pix: `simulator`, or `api-pix` for one with Banco Central's API Pix; production must " +
      'name it',
    default: 'simulator',
  },
  ...PIX_BANK_VARIABLES,
  {
    name: 'LEDGER_PIX_BANK_SCOPE',
    meaning: 'for `api-pix`: the OAuth2 scopes that are requested, separated by spaces',
    default: 'cob.read cob.write pix.read pix.write',
  },
  {
    name: 'LEDGER_PIX_BANK_LIST_DAYS',
    meaning: 'for `api-pix`: the longest period, in days, for which the bank lists payments in one request',
    default: '30',
  },
  {
    name: 'LEDGER_PIX_CALLBACK_URL',
    meaning:
      'for `api-pix`: public URL under which the bank reaches the listener for its callbacks, https:// without a ' +
      'trailing slash; empty to only poll the bank',
    default: '',
  },
  {
    name: 'LEDGER_PIX_CALLBACK_LISTEN',
    meaning: 'for `api-pix`: host:port of that listener, which receives /callbacks/pix',
    default: '',
  },
  {
    name: 'LEDGER_MERCHANT_NAME',
    meaning: 'name in the Pix codes, at most 25 printable ASCII characters',
    default: 'PONTE PAGAMENTOS SA',
  },
  {
    name: 'LEDGER_MERCHANT_CITY',
    meaning: 'city in the Pix codes, at most 15 printable ASCII characters',
    default: 'SAO PAULO',
  },
  {
    name: 'LEDGER_PIX_KEY',
    meaning: 'Pix key of our account at the bank',
    default: 'b6f1c0de-7a55-4e0f-9c3d-2a8e61d40b17',
  },
  {
    name: 'LEDGER_PIX_HOST',
    meaning: 'for `simulator`: host that serves the payloads of charges',
    default: 'pix.ponte.example',
  },
  {
    name: 'LEDGER_POLL_MS',
    meaning: 'milliseconds between polls of the bank for received payments; callbacks may arrive at any time',
    default: '5000',
  },
  {
    name: 'LEDGER_BANK_OVERLAP_MS',
    meaning:
      "milliseconds after its time, by the bank's clock, that an entry may still appear in a list of the bank; each " +
      'poll reads this far back',
    default: '600000',
  },
  {
    name: 'LEDGER_BANK_LATE_MS',
    meaning: 'the same for entries that the bank lists very late: once an hour, its lists are read this far back',
    default: '86400000',
  },
  {
    name: 'LEDGER_RESUME_MS',
    meaning: 'milliseconds between two passes over unfinished deposits and returns',
    default: '10000',
  },
  {
    name: 'LEDGER_PAYOUT_RAIL',
    meaning: 'the bank for payouts and Pix key look-ups: `simulator` or `http`; production must name it',
    default: 'simulator',
  },
  ...PAYOUT_BANK_VARIABLES,
  WITHDRAWAL_LIMITS,
  LOOK_UP_LIMITS,
  {
    name: 'LEDGER_TOKEN_WITHDRAWALS',
    meaning: '`on` accepts token withdrawals, `off` refuses them',
    default: 'on',
  },
  {
    name: 'LEDGER_SANCTIONED_ADDRESSES_FILE',
    meaning:
      "file with sanctioned addresses in OFAC's format (sdn.xml); required in production unless LEDGER_TOKEN_WITHDRAWALS is off; a sandbox without it has one sanctioned magic address",
    default: '',
  },
  {
    name: 'LEDGER_BANK_HOLIDAYS',
    meaning: 'days on which banks are closed in addition to the national holidays: comma-separated YYYY-MM-DD',
    default: '',
  },
];

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** Reads the settings. Throws an error that names the variable if a value is missing or invalid. */
export function readLedgerConfig(env: Variables, environment: Environment): LedgerSettings {
  const settings = new SettingsReader(LEDGER_VARIABLES, env);
  const short = (name: string, max: number): string => {
    const value = settings.text(name);
    if (value.length > max || !/^[\x20-\x7e]+$/.test(value))
      throw new Error(`${name} must be at most ${max} printable ASCII characters`);
    return value;
  };
  const milliseconds = (name: string): number => settings.wholeNumber(name, 1, DAY_MS);
  const named = (rail: string, bank: string): void => {
    if (environment === 'production' && settings.optional(rail) === null)
      throw new Error(`${rail}: production must name a ${bank}; name \`simulator\` to simulate it`);
  };
  return readEach({
    pixBank: () => {
      named('LEDGER_PIX_RAIL', 'bank');
      return pixBankIn(settings);
    },
    payoutBank: () => {
      named('LEDGER_PAYOUT_RAIL', 'payout bank');
      return readBankApi(settings, 'LEDGER_PAYOUT', { variable: 'LEDGER_PAYOUT_RAIL', rail: 'http' });
    },
    merchantName: () => short('LEDGER_MERCHANT_NAME', 25),
    merchantCity: () => short('LEDGER_MERCHANT_CITY', 15),
    pixKey: () => short('LEDGER_PIX_KEY', 77),
    payloadHost: () => short('LEDGER_PIX_HOST', 37),
    pollMs: () => milliseconds('LEDGER_POLL_MS'),
    bankOverlapMs: () => milliseconds('LEDGER_BANK_OVERLAP_MS'),
    bankLateMs: () => settings.wholeNumber('LEDGER_BANK_LATE_MS', 1, WEEK_MS),
    resumeMs: () => milliseconds('LEDGER_RESUME_MS'),
    withdrawalLimits: () => readWithdrawalLimits(settings),
    pixKeyLookUps: () => readLookUpLimits(settings, environment),
    tokenWithdrawals: () => settings.isOn('LEDGER_TOKEN_WITHDRAWALS'),
    sanctionedAddressesFile: () => settings.optional('LEDGER_SANCTIONED_ADDRESSES_FILE'),
    bankHolidays: () => new Set(settings.list('LEDGER_BANK_HOLIDAYS').map(dateIn)),
  });
}

function pixBankIn(settings: SettingsReader): LedgerSettings['pixBank'] {
  const listDays = settings.wholeNumber('LEDGER_PIX_BANK_LIST_DAYS', 1, TAKE_BACK_DAYS);
  const api = readBankApi(settings, 'LEDGER_PIX_BANK', { variable: 'LEDGER_PIX_RAIL', rail: 'api-pix' });
  const callbacks = pixCallbacksIn(settings);
  if (callbacks && !api) throw new Error('LEDGER_PIX_CALLBACK_URL must not be set unless LEDGER_PIX_RAIL is api-pix');
  return api && { ...api, scope: scopeIn(settings, callbacks !== null), listDays, callbacks };
}

function pixCallbacksIn(settings: SettingsReader): PixBankSettings['callbacks'] {
  const [url, listen] = [
    settings.optional('LEDGER_PIX_CALLBACK_URL'),
    settings.listenAddress('LEDGER_PIX_CALLBACK_LISTEN'),
  ];
  if (url === null && listen === null) return null;
  if (url === null || !isBaseUrl(url))
    throw new Error('LEDGER_PIX_CALLBACK_URL must start with https:// and have no trailing slash');
  if (listen === null) throw new Error('LEDGER_PIX_CALLBACK_LISTEN must be set with LEDGER_PIX_CALLBACK_URL');
  return { url, listen };
}

/** The configured scopes, and those for the registration of callbacks if they are not among them. */
function scopeIn(settings: SettingsReader, hasCallbacks: boolean): string {
  const scopes = settings.text('LEDGER_PIX_BANK_SCOPE').split(' ');
  return [...new Set([...scopes, ...(hasCallbacks ? ['webhook.read', 'webhook.write'] : [])])].join(' ');
}

function dateIn(text: string): string {
  if (!isCalendarDate(text)) throw new Error(`LEDGER_BANK_HOLIDAYS: ${text} is not a date (YYYY-MM-DD)`);
  return text;
}

/** All settings of ledger, for the check at the start of its process. */
export const LEDGER: ServiceSettings = { declared: LEDGER_VARIABLES, read: readLedgerConfig };

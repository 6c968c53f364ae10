import type { RateLimits } from '@ponte/contracts';
import type { Environment, Setting } from '@ponte/nest';
import { BLOBS_SETTINGS, LIVENESS_PROVIDERS_SETTING, readLivenessProviders } from '@ponte/nest';
import { QUOTE_SIGNING_KEYS } from './api/quotes/quote-signer';
import { STAFF_VARIABLES } from './staff.config';

/** What the gateway takes from the environment, by value. */
export interface GatewaySettings {
  readonly rateLimits: RateLimits;
  /** Values of the `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers of v0. */
  readonly v0Deprecation: string;
  readonly v0Sunset: string;
  /** Behind by more than this are readers for which new work is put off, milliseconds; 0: it never is. */
  readonly backlogMs: number;
}

/** Requests per second and burst of a key without limits of its own. */
const PARTNER_LIMITS: RateLimits = { writesPerSecond: 20, writeBurst: 60, readsPerSecond: 50, readBurst: 150 };
const SANDBOX_LIMITS: RateLimits = {
  writesPerSecond: 10_000,
  writeBurst: 10_000,
  readsPerSecond: 10_000,
  readBurst: 10_000,
};

export const GATEWAY_VARIABLES: readonly Setting[] = [
  {
    name: 'PONTE_TRUSTED_PROXIES',
    meaning: 'addresses and CIDR blocks, with commas, whose X-Forwarded-For is believed',
    default: '',
  },
  {
    name: 'PONTE_CONNECTIONS_PER_ADDRESS',
    meaning: 'connections of one address, 10 to 100000; trusted proxies may have any number',
    default: '1000',
  },
  { name: 'PONTE_V0_DEPRECATED_AT', meaning: 'since when v0 is deprecated, ISO 8601', default: '2025-01-01T00:00:00Z' },
  { name: 'PONTE_V0_SUNSET_AT', meaning: 'when v0 may be switched off, ISO 8601', default: '2027-12-31T00:00:00Z' },
  {
    name: 'BACKLOG_SECONDS',
    default: '10',
    meaning:
      'while a reader of the log is behind by more than this and does not gain, quotes, and then orders and requests for accounts, are put off with 503; 0: never',
  },
  QUOTE_SIGNING_KEYS,
  LIVENESS_PROVIDERS_SETTING,
  ...BLOBS_SETTINGS,
  ...STAFF_VARIABLES,
];

const MOST_BACKLOG_SECONDS = 3_600;
const LEAST_CONNECTIONS = 10;
const MOST_CONNECTIONS = 100_000;

type Env = Readonly<Record<string, string | undefined>>;

const valueOf = (env: Env, name: string): string =>
  env[name] || (GATEWAY_VARIABLES.find((one) => one.name === name)?.default ?? '');

const listOf = (env: Env, name: string): readonly string[] =>
  valueOf(env, name)
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Read apart from the rest, since the server is made before the application is. */
export const readTrustedProxies = (env: Env): readonly string[] => listOf(env, 'PONTE_TRUSTED_PROXIES');

/** The cap of connections, read like the trusted proxies. */
export function readConnectionCap(env: Env): { readonly perAddress: number } {
  const perAddress = Number(valueOf(env, 'PONTE_CONNECTIONS_PER_ADDRESS'));
  if (!Number.isInteger(perAddress) || perAddress < LEAST_CONNECTIONS || perAddress > MOST_CONNECTIONS) {
    throw new Error(`PONTE_CONNECTIONS_PER_ADDRESS is a whole number from ${LEAST_CONNECTIONS} to ${MOST_CONNECTIONS}`);
  }
  return { perAddress };
}

/** Read when the module is loaded, since shapes are classes, and say what they take before anything else runs. */
export const LIVENESS_PROVIDERS = readLivenessProviders(process.env);

export function readGatewaySettings(env: Env, environment: Environment): GatewaySettings {
  const time = (name: string) => {
    const ms = Date.parse(valueOf(env, name));
    if (Number.isNaN(ms)) throw new Error(`${name} is not a time: ${valueOf(env, name)}`);
    return ms;
  };
  return {
    rateLimits: environment === 'sandbox' ? SANDBOX_LIMITS : PARTNER_LIMITS,
    v0Deprecation: `@${Math.floor(time('PONTE_V0_DEPRECATED_AT') / 1000)}`,
    v0Sunset: new Date(time('PONTE_V0_SUNSET_AT')).toUTCString(),
    backlogMs: backlogOf(env),
  };
}

function backlogOf(env: Env): number {
  const seconds = Number(valueOf(env, 'BACKLOG_SECONDS'));
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > MOST_BACKLOG_SECONDS)
    throw new Error(`BACKLOG_SECONDS is a whole number from 0 to ${MOST_BACKLOG_SECONDS}`);
  return seconds * 1_000;
}

import type { RateLimits } from '@ponte/contracts';
import type { Setting, Variables } from '@ponte/kernel';
import type { Environment, ServiceSettings } from '@ponte/nest';
import { readEach, SettingsReader } from '@ponte/kernel';
import { BLOBS_SETTINGS, LIVENESS_PROVIDERS_SETTING, readBlobsConfig, readLivenessProviders } from '@ponte/nest';
import { QUOTE_SIGNING_KEYS, readSigningKeys } from './api/quotes/quote-signer';
import { readStaffSettings, STAFF_VARIABLES } from './staff.config';

/** The gateway's settings, read from the environment. */
export interface GatewaySettings {
  readonly rateLimits: RateLimits;
  /** Failed authentications from one client address per minute; 0: no limit. */
  readonly failedAuthenticationsPerMinute: number;
  /** Values of the `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers of v0. */
  readonly v0Deprecation: string;
  readonly v0Sunset: string;
  /** New work may be shed while a reader of the log is further behind than this, in milliseconds; 0: never. */
  readonly backlogMs: number;
}

/** Rate limits of an API key that has no limits of its own. */
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
    meaning: 'comma-separated IP addresses and CIDR blocks of proxies whose X-Forwarded-For is trusted',
    default: '',
  },
  {
    name: 'PONTE_CONNECTIONS_PER_ADDRESS',
    meaning: 'maximum number of connections from one IP address, 10 to 100000; unlimited for trusted proxies',
    default: '1000',
  },
  {
    name: 'PONTE_FAILED_AUTHENTICATIONS_PER_MINUTE',
    meaning:
      'failed authentications from one IP address (of IPv6: one /64 network) per minute and process, counted separately for API keys and for the staff token, 0 to 100000, after which failures are answered with 429; 0: no limit, as by default in the sandbox',
    default: '60',
  },
  {
    name: 'PONTE_V0_DEPRECATED_AT',
    meaning: 'time from which v0 is deprecated, ISO 8601',
    default: '2025-01-01T00:00:00Z',
  },
  {
    name: 'PONTE_V0_SUNSET_AT',
    meaning: 'time from which v0 may be switched off, ISO 8601',
    default: '2027-12-31T00:00:00Z',
  },
  {
    name: 'BACKLOG_SECONDS',
    default: '10',
    meaning:
      'load shedding: while a reader of the log is further behind than this and not catching up, quotes, then orders and account requests are refused with 503; 0: never',
  },
  QUOTE_SIGNING_KEYS,
  LIVENESS_PROVIDERS_SETTING,
  ...BLOBS_SETTINGS,
  ...STAFF_VARIABLES,
];

const MAX_BACKLOG_SECONDS = 3_600;
const MIN_CONNECTIONS = 10;
const MAX_CONNECTIONS = 100_000;
const MAX_FAILURES = 100_000;

const read = (env: Variables) => new SettingsReader(GATEWAY_VARIABLES, env);

/** Read separately, because the server is created before the application. */
export const readTrustedProxies = (env: Variables): readonly string[] => read(env).list('PONTE_TRUSTED_PROXIES');

/** The connection limit, read separately like the trusted proxies. */
export const readConnectionCap = (env: Variables): { readonly perAddress: number } => ({
  perAddress: read(env).wholeNumber('PONTE_CONNECTIONS_PER_ADDRESS', MIN_CONNECTIONS, MAX_CONNECTIONS),
});

/**
 * Read at import time, because the decorators of the request shapes use it. An invalid value is reported later, with
 * all other invalid settings, and ends the start.
 */
export const LIVENESS_PROVIDERS = livenessProviders(process.env);

function livenessProviders(env: Variables): readonly string[] {
  try {
    return readLivenessProviders(env);
  } catch {
    return readLivenessProviders({});
  }
}

export function readGatewaySettings(env: Variables, environment: Environment): GatewaySettings {
  const settings = read(env);
  const time = (name: string) => {
    const ms = Date.parse(settings.text(name));
    if (Number.isNaN(ms)) throw new Error(`${name} must be a time in ISO 8601 format`);
    return ms;
  };
  return readEach({
    rateLimits: () => (environment === 'sandbox' ? SANDBOX_LIMITS : PARTNER_LIMITS),
    failedAuthenticationsPerMinute: () =>
      settings.wholeNumber(
        'PONTE_FAILED_AUTHENTICATIONS_PER_MINUTE',
        0,
        MAX_FAILURES,
        environment === 'sandbox' ? 0 : undefined,
      ),
    v0Deprecation: () => `@${Math.floor(time('PONTE_V0_DEPRECATED_AT') / 1000)}`,
    v0Sunset: () => new Date(time('PONTE_V0_SUNSET_AT')).toUTCString(),
    backlogMs: () => settings.wholeNumber('BACKLOG_SECONDS', 0, MAX_BACKLOG_SECONDS) * 1_000,
  });
}

/** All settings of the gateway, for the check at the start of its process. */
export const GATEWAY: ServiceSettings = {
  declared: GATEWAY_VARIABLES,
  read: (env, environment) =>
    readEach({
      edge: () => readGatewaySettings(env, environment),
      trustedProxies: () => readTrustedProxies(env),
      connections: () => readConnectionCap(env),
      livenessProviders: () => readLivenessProviders(env),
      blobs: () => readBlobsConfig(env),
      signingKeys: () => readSigningKeys(env),
      staff: () => readStaffSettings(env, environment),
    }),
};

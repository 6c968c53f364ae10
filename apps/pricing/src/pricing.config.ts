import { readFileSync } from 'node:fs';
import { Rate, readEach, SettingsReader } from '@ponte/kernel';
import type { Setting, Variables } from '@ponte/kernel';
import type { Environment, ServiceSettings } from '@ponte/nest';
import type { FeedSettings, HttpSettings, RateSourcesSettings, RatesSettings } from './rates/rate-sources';
import { readRateSources } from './rates/rate-sources';
import type { ConfiguredRules } from './rules/configured-rules.domain';
import { readConfiguredRules } from './rules/configured-rules.domain';
import defaultRules from './default-rules.json';

export const PRICING_SETTINGS: readonly Setting[] = [
  {
    name: 'PONTE_PRICING_RULES',
    meaning:
      'JSON file with the same tables as default-rules.json (spread, fee, IOF, limits, validity, locks, pegs, market), with dates in each row',
    default: 'default-rules.json',
  },
  {
    name: 'PONTE_RATES',
    meaning: 'source of the rates: seeded (a generator) or http; production has no default',
    default: 'seeded',
  },
  { name: 'PONTE_RATES_SEED', meaning: 'seeded: seed of the generator', default: 'ponte' },
  {
    name: 'PONTE_RATES_BASE',
    meaning: 'seeded: USD/BRL rate around which the generated rates move',
    default: '5.3412',
  },
  {
    name: 'PONTE_RATES_SHARE_PRICE',
    meaning:
      'BRL for one wBRLY share: the starting price of the generator, or the fixed price if http has no feed for it (with neither, wBRLY has no price)',
    default: 'seeded: 1.05',
  },
  { name: 'PONTE_RATES_URL', meaning: 'http: URL of the USD/BRL feed', default: '' },
  {
    name: 'PONTE_RATES_PATH',
    meaning: 'http: path of the rate in the JSON, such as data.rates[0].bid',
    default: '',
  },
  {
    name: 'PONTE_RATES_TIME_PATH',
    meaning:
      'http: path of the time of the rate in the JSON: RFC 3339 with Z or an offset, or an epoch in seconds or milliseconds; without the path, the time of the response is used',
    default: '',
  },
  { name: 'PONTE_RATES_AUTHORIZATION', meaning: 'http: Authorization header for the USD/BRL feed', default: '' },
  {
    name: 'PONTE_RATES_SOURCES',
    meaning:
      'http: JSON file with several USD/BRL sources (docs/pricing.md), whose weighted median is used; replaces PONTE_RATES_URL',
    default: '',
  },
  {
    name: 'PONTE_RATES_REFERENCE_URL',
    meaning: 'http: URL of a second USD/BRL feed to compare with; without it, the deviation is not checked',
    default: '',
  },
  { name: 'PONTE_RATES_REFERENCE_PATH', meaning: 'http: path of the rate in the JSON of that feed', default: '' },
  {
    name: 'PONTE_RATES_REFERENCE_TIME_PATH',
    meaning: 'http: path of the time, as in PONTE_RATES_TIME_PATH',
    default: '',
  },
  { name: 'PONTE_RATES_REFERENCE_AUTHORIZATION', meaning: 'http: Authorization header for that feed', default: '' },
  { name: 'PONTE_RATES_SHARE_PRICE_URL', meaning: 'http: URL of the feed for the wBRLY price per share', default: '' },
  { name: 'PONTE_RATES_SHARE_PRICE_PATH', meaning: 'http: path of the price in the JSON of that feed', default: '' },
  {
    name: 'PONTE_RATES_SHARE_PRICE_TIME_PATH',
    meaning: 'http: path of the time, as in PONTE_RATES_TIME_PATH',
    default: '',
  },
  { name: 'PONTE_RATES_SHARE_PRICE_AUTHORIZATION', meaning: 'http: Authorization header for that feed', default: '' },
  { name: 'PONTE_RATES_INTERVAL_MS', meaning: 'http: pause between two polls', default: '5000' },
  { name: 'PONTE_RATES_TIMEOUT_MS', meaning: 'http: timeout of one poll', default: '2000' },
  { name: 'PONTE_RATES_MIN', meaning: 'http: a lower rate or share price is refused as wrong', default: '1' },
  { name: 'PONTE_RATES_MAX', meaning: 'http: a higher rate or share price is refused as wrong', default: '100' },
];

export interface PricingConfig {
  readonly rules: ConfiguredRules;
  readonly rates: RatesSettings;
}

/** Reads the settings from the environment. Throws an error that names the variable if a value is invalid. */
export function readPricingConfig(env: Variables, environment: Environment): PricingConfig {
  const settings = new SettingsReader(PRICING_SETTINGS, env);
  return readEach({
    rules: () => rulesOf(settings.optional('PONTE_PRICING_RULES')),
    rates: () => ratesOf(settings, env, environment),
  });
}

function rulesOf(file: string | null): PricingConfig['rules'] {
  if (file === null) return readConfiguredRules(defaultRules);
  try {
    return readConfiguredRules(JSON.parse(readFileSync(file, 'utf8')) as unknown);
  } catch (error) {
    throw new Error(`PONTE_PRICING_RULES: ${(error as Error).message}`);
  }
}

/** The default starting price of the generator, in BRL for one share. */
const SEEDED_SHARE_PRICE = '1.05';

function ratesOf(settings: SettingsReader, env: Variables, environment: Environment): RatesSettings {
  if (environment === 'production') settings.required('PONTE_RATES', 'in production');
  const kind = settings.oneOf('PONTE_RATES', ['seeded', 'http']);
  if (kind === 'http') return { kind, ...httpOf(settings, env) };
  return {
    kind,
    seed: settings.text('PONTE_RATES_SEED'),
    base: rateOf(settings, 'PONTE_RATES_BASE', 'USD'),
    sharePrice: rateOf(settings, 'PONTE_RATES_SHARE_PRICE', 'wBRLY', SEEDED_SHARE_PRICE),
  };
}

function httpOf(settings: SettingsReader, env: Variables): HttpSettings {
  const usdBrl = feedOf(settings, 'PONTE_RATES');
  const sources = sourcesOf(settings, env);
  if (usdBrl === undefined && sources === undefined)
    throw new Error('PONTE_RATES_URL or PONTE_RATES_SOURCES is required if PONTE_RATES is http');
  if (usdBrl !== undefined && sources !== undefined)
    throw new Error('PONTE_RATES_URL and PONTE_RATES_SOURCES exclude each other: list that feed among the sources');
  return readEach({
    usdBrl: () => usdBrl,
    sources: () => sources,
    reference: () => feedOf(settings, 'PONTE_RATES_REFERENCE'),
    sharePrice: () => feedOf(settings, 'PONTE_RATES_SHARE_PRICE'),
    fixedSharePrice: () =>
      settings.optional('PONTE_RATES_SHARE_PRICE') ? rateOf(settings, 'PONTE_RATES_SHARE_PRICE', 'wBRLY') : undefined,
    intervalMs: () => settings.wholeNumber('PONTE_RATES_INTERVAL_MS', 10, 3_600_000),
    timeoutMs: () => settings.wholeNumber('PONTE_RATES_TIMEOUT_MS', 10, 3_600_000),
    plausible: () => ({
      min: rateOf(settings, 'PONTE_RATES_MIN', 'USD'),
      max: rateOf(settings, 'PONTE_RATES_MAX', 'USD'),
    }),
  });
}

function sourcesOf(settings: SettingsReader, env: Variables): HttpSettings['sources'] {
  const file = settings.optional('PONTE_RATES_SOURCES');
  if (file === null) return undefined;
  const read = readSources(file);
  const missing = read.sources.find(({ authorizationVariable: name }) => name !== null && !env[name]);
  if (missing)
    throw new Error(`${String(missing.authorizationVariable)} is empty; the rate source ${missing.name} needs it`);
  return {
    ...read,
    sources: read.sources.map((source) => ({
      ...source,
      authorization: source.authorizationVariable === null ? undefined : env[source.authorizationVariable],
    })),
  };
}

function readSources(file: string): RateSourcesSettings {
  try {
    return readRateSources(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error('PONTE_RATES_SOURCES does not name a valid list of rate sources', { cause: error });
  }
}

function feedOf(settings: SettingsReader, prefix: string): FeedSettings | undefined {
  const url = settings.httpUrl(`${prefix}_URL`);
  if (url === null) return undefined;
  return {
    url,
    path: settings.text(`${prefix}_PATH`),
    timePath: settings.optional(`${prefix}_TIME_PATH`),
    authorization: settings.optional(`${prefix}_AUTHORIZATION`) ?? undefined,
  };
}

/**
 * The largest accepted rate. Above it, a centavo is less than a minor unit of USDC, and a spread of one centavo no
 * longer covers the remainder lost by flooring.
 */
const RATE_BOUND = Rate.parse('USD', 'BRL', '10000');

function rateOf(settings: SettingsReader, name: string, base: string, otherwise?: string): Rate {
  try {
    const rate = Rate.parse(base, 'BRL', settings.text(name, otherwise));
    if (rate.scaled <= RATE_BOUND.scaled) return rate;
  } catch {
    // Reported below, like a rate above the bound.
  }
  throw new Error(`${name} must be a positive rate of at most 10000`);
}

/** All settings of pricing, for the check at the start of its process. */
export const PRICING: ServiceSettings = { declared: PRICING_SETTINGS, read: readPricingConfig };

import { fail, RuleReader } from '../domain/rules/reading';
import type { CombinationRules } from './combine-rates';

/** How one source is asked and trusted, from the configuration. */
export interface RateSourceSettings {
  readonly name: string;
  readonly url: string;
  /** Of the rate, or of the bid where there is an ask. */
  readonly path: string;
  readonly askPath: string | null;
  readonly timePath: string | null;
  /** Name of the environment variable with the Authorization header; null for none. */
  readonly authorizationVariable: string | null;
  readonly weight: number;
  readonly staleAfterMs: number;
  readonly maxSpreadBps: number | null;
}

export interface RateSourcesSettings extends CombinationRules {
  readonly sources: readonly RateSourceSettings[];
}

const MOST_BPS = 4_999;
const MOST_SECONDS = 86_400;
const MOST_WEIGHT = 1_000;
const SECOND_MS = 1000;
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Reads the list of rate sources from JSON. Throws an Error that names the place of the first mistake. */
export function readRateSources(json: unknown): RateSourcesSettings {
  const whole = RuleReader.of(json, '');
  const sources = whole.rows('sources', sourceOf);
  if (sources.length === 0) fail('sources', 'a list of at least one source');
  if (new Set(sources.map(({ name }) => name)).size < sources.length)
    fail('sources', 'a list of sources with different names');
  const settings = {
    sources,
    outlierBps: whole.integer('outlier-bps', 1, MOST_BPS),
    minSources: whole.integer('min-sources', 1, sources.length),
  };
  whole.end();
  return settings;
}

function sourceOf(row: RuleReader): RateSourceSettings {
  const name = row.text('name');
  if (!NAME.test(name)) fail(`${row.path}.name`, 'lower-case words with hyphens, such as "bank-a"');
  const url = row.text('url');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) fail(`${row.path}.url`, 'an http or https URL');
  const settings = {
    name,
    url,
    path: row.text('path'),
    askPath: row.textOrNull('ask-path'),
    timePath: row.textOrNull('time-path'),
    authorizationVariable: row.textOrNull('authorization-variable'),
    weight: row.integer('weight', 1, MOST_WEIGHT),
    staleAfterMs: row.integer('stale-after-seconds', 1, MOST_SECONDS) * SECOND_MS,
    maxSpreadBps: row.integerOrNull('max-spread-bps', 1, MOST_BPS),
  };
  if (settings.maxSpreadBps !== null && settings.askPath === null)
    fail(`${row.path}.max-spread-bps`, 'null without an ask-path');
  return settings;
}

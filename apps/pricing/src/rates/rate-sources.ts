import type { Rate } from '@ponte/kernel';
import { RuleReader } from '../rules/reading.domain';
import type { CombinationRules } from './combine-rates.domain';

/** How one source is polled and how far it is trusted, from the configuration. */
interface RateSourceSettings {
  readonly name: string;
  readonly url: string;
  /** The path of the rate, or of the bid if there is an `askPath`. */
  readonly path: string;
  readonly askPath: string | null;
  readonly timePath: string | null;
  /** The name of the environment variable with the Authorization header. Null for none. */
  readonly authorizationVariable: string | null;
  readonly weight: number;
  readonly staleAfterMs: number;
  readonly maxSpreadBps: number | null;
}

export interface RateSourcesSettings extends CombinationRules {
  readonly sources: readonly RateSourceSettings[];
}

/** How one feed is polled. Without a time path its age is that of the answer. */
export interface FeedSettings {
  readonly url: string;
  readonly path: string;
  readonly askPath?: string | null;
  readonly timePath?: string | null;
  readonly authorization?: string;
}

export interface HttpSettings {
  /** Absent if `sources` are combined. */
  readonly usdBrl?: FeedSettings;
  readonly sources?: Omit<RateSourcesSettings, 'sources'> & {
    readonly sources: readonly (RateSourceSettings & { readonly authorization?: string })[];
  };
  readonly reference?: FeedSettings;
  readonly sharePrice?: FeedSettings;
  readonly fixedSharePrice?: Rate;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly plausible: { readonly min: Rate; readonly max: Rate };
}

export type RatesSettings =
  | { readonly kind: 'seeded'; readonly seed: string; readonly base: Rate; readonly sharePrice: Rate }
  | ({ readonly kind: 'http' } & HttpSettings);

const MAX_BPS = 4_999;
const MAX_SECONDS = 86_400;
const MAX_WEIGHT = 1_000;
const SECOND_MS = 1000;
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Reads the list of rate sources from JSON. Throws {@link RulesInvalid} with every violation. */
export function readRateSources(json: unknown): RateSourcesSettings {
  const whole = RuleReader.ofDocument(json);
  const sources = whole.rows('sources', sourceOf, validateSource);
  if (sources.length === 0) whole.refuse('sources', 'a list of at least one source');
  if (new Set(sources.map(({ name }) => name)).size < sources.length)
    whole.refuse('sources', 'a list of sources with different names');
  const settings = {
    sources,
    outlierBps: whole.integer('outlier-bps', 1, MAX_BPS),
    minSources: whole.integer('min-sources', 1, Math.max(1, sources.length)),
  };
  whole.end();
  whole.assertSound();
  return settings;
}

function sourceOf(row: RuleReader): RateSourceSettings {
  return {
    name: row.text('name'),
    url: row.text('url'),
    path: row.text('path'),
    askPath: row.textOrNull('ask-path'),
    timePath: row.textOrNull('time-path'),
    authorizationVariable: row.textOrNull('authorization-variable'),
    weight: row.integer('weight', 1, MAX_WEIGHT),
    staleAfterMs: row.integer('stale-after-seconds', 1, MAX_SECONDS) * SECOND_MS,
    maxSpreadBps: row.integerOrNull('max-spread-bps', 1, MAX_BPS),
  };
}

function validateSource({ name, url, askPath, maxSpreadBps }: RateSourceSettings, refuse: RuleReader['refuse']): void {
  if (!NAME.test(name)) refuse('name', 'lower-case words with hyphens, such as "bank-a"');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) refuse('url', 'an http or https URL');
  if (maxSpreadBps !== null && askPath === null) refuse('max-spread-bps', 'null without an ask-path');
}

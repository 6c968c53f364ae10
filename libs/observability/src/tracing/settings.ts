import type { Setting, Variables } from '@ponte/kernel';
import { readEach, SettingsReader } from '@ponte/kernel';

/** How a process exports its spans. */
export interface TracingConfig {
  /** URL for batches of spans (OTLP over HTTP): the endpoint followed by /v1/traces. */
  readonly url: string;
  /** Sent with each batch; may contain a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null means the name of the process. */
  readonly serviceName: string | null;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: SamplerName;
  /** Share of the traces that a ratio sampler keeps, 0 to 1. */
  readonly ratio: number;
}

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
type SamplerName = (typeof SAMPLERS)[number];

/** The variables have the names defined by OpenTelemetry. */
export const TRACING_SETTINGS: readonly Setting[] = [
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning: 'trace collector, OTLP over HTTP, for example http://tempo:4318; without it nothing is traced',
    default: '',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    meaning:
      'headers of each export request: comma-separated key=value pairs with percent-encoded values; they may contain a credential',
    default: '',
  },
  { name: 'OTEL_SERVICE_NAME', meaning: 'name of this process in traces', default: 'the name of the service' },
  {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    meaning:
      'further resource attributes of this process in traces: comma-separated key=value pairs with percent-encoded values',
    default: '',
  },
  {
    name: 'OTEL_TRACES_SAMPLER',
    meaning: `which traces are kept, decided at the gateway: ${SAMPLERS.join(', ')}`,
    default: 'parentbased_always_on',
  },
  { name: 'OTEL_TRACES_SAMPLER_ARG', meaning: 'share of the traces that a ratio sampler keeps, 0 to 1', default: '1' },
];

/** Null without an endpoint: nothing is traced then. An error names the invalid variable without its value. */
export function readTracing(env: Variables): TracingConfig | null {
  const settings = new SettingsReader(TRACING_SETTINGS, env);
  const endpoint = settings.httpUrl('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === null) return null;
  return readEach({
    url: () => `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: () => pairs(settings, 'OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: () => settings.optional('OTEL_SERVICE_NAME'),
    resource: () => pairs(settings, 'OTEL_RESOURCE_ATTRIBUTES'),
    sampler: () => settings.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS),
    ratio: () => {
      const ratio = Number(settings.text('OTEL_TRACES_SAMPLER_ARG'));
      if (!(ratio >= 0 && ratio <= 1)) throw new Error('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
      return ratio;
    },
  });
}

const pairs = (settings: SettingsReader, name: string): Record<string, string> =>
  Object.fromEntries(
    settings.list(name).map((one) => {
      const [, key, value] = /^([^=\s]+)\s*=\s*(.*)$/.exec(one) ?? [];
      const decoded = key === undefined || value === undefined ? undefined : unescaped(value);
      if (key === undefined || decoded === undefined)
        throw new Error(`${name} must be comma-separated key=value pairs with percent-encoded values`);
      return [key, decoded];
    }),
  );

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

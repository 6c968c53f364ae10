import type { Setting } from '../settings';

/** How a process tells of its spans. */
export interface TracingConfig {
  /** Where batches of spans are posted, OTLP over HTTP: the endpoint with /v1/traces behind it. */
  readonly url: string;
  /** Sent with each batch; they may hold a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: the name of the process. */
  readonly serviceName: string | null;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: SamplerName;
  /** Part of the traces that a ratio keeps, 0 to 1. */
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
export type SamplerName = (typeof SAMPLERS)[number];

/** Named as OpenTelemetry names them. */
export const TRACING_SETTINGS: readonly Setting[] = [
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning: 'collector of traces, OTLP over HTTP, such as http://tempo:4318; without it nothing is traced',
    default: '',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    meaning: 'headers of each batch, key=value with commas between, values percent-encoded; they may hold a credential',
    default: '',
  },
  { name: 'OTEL_SERVICE_NAME', meaning: 'name of this process in traces', default: 'the name of the service' },
  {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    meaning: 'what else is said of this process in traces, key=value with commas between, values percent-encoded',
    default: '',
  },
  {
    name: 'OTEL_TRACES_SAMPLER',
    meaning: `which traces are kept, decided at the edge: ${SAMPLERS.join(', ')}`,
    default: 'parentbased_always_on',
  },
  { name: 'OTEL_TRACES_SAMPLER_ARG', meaning: 'part of the traces that a ratio keeps, 0 to 1', default: '1' },
];

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Null without an endpoint: then nothing is traced. A mistake ends the start with the variable's name and quotes
 * nothing.
 */
export function readTracing(env: Env): TracingConfig | null {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (!endpoint) return null;
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new Error('OTEL_EXPORTER_OTLP_ENDPOINT is no http or https URL');
  const asked = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  const sampler = SAMPLERS.find((one) => one === asked);
  if (!sampler) throw new Error(`OTEL_TRACES_SAMPLER is ${SAMPLERS.join(', ')}`);
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] || '1');
  if (!(ratio >= 0 && ratio <= 1)) throw new Error('OTEL_TRACES_SAMPLER_ARG is a number from 0 to 1');
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: pairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: env['OTEL_SERVICE_NAME'] || null,
    resource: pairs(env, 'OTEL_RESOURCE_ATTRIBUTES'),
    sampler,
    ratio,
  };
}

function pairs(env: Env, name: string): Record<string, string> {
  const listed = (env[name] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return Object.fromEntries(
    listed.map((one) => {
      const [, key, value] = /^([^=\s]+)\s*=\s*(.*)$/.exec(one) ?? [];
      const decoded = key === undefined || value === undefined ? undefined : unescaped(value);
      if (key === undefined || decoded === undefined)
        throw new Error(`${name} is key=value with commas between, values percent-encoded`);
      return [key, decoded];
    }),
  );
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

import { parseTraceparent, readTracing } from '@ponte/observability';
import { readRuntime } from '../process/runtime';
import { ENV, useCollector } from './collected-traces.testing';

useCollector();

describe('the tracing settings', () => {
  it('disable tracing without an endpoint, and otherwise follow the variables of OpenTelemetry', () => {
    expect(readTracing({ OTEL_SERVICE_NAME: 'x' })).toBeNull();
    expect(readRuntime({}).tracing).toBeNull();
    expect(
      readTracing({
        ...ENV,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc==, x=1',
        OTEL_RESOURCE_ATTRIBUTES: 'k8s.pod.name=a',
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      }),
    ).toEqual({
      url: 'http://127.0.0.1:4318/v1/traces',
      headers: { authorization: 'Basic abc==', x: '1' },
      serviceName: null,
      resource: { 'k8s.pod.name': 'a' },
      sampler: 'traceidratio',
      ratio: 0.25,
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'tempo:4317' }],
    ['OTEL_TRACES_SAMPLER', { ...ENV, OTEL_TRACES_SAMPLER: 'some' }],
    ['OTEL_TRACES_SAMPLER_ARG', { ...ENV, OTEL_TRACES_SAMPLER_ARG: '2' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', { ...ENV, OTEL_EXPORTER_OTLP_HEADERS: 'secret' }],
    ['OTEL_RESOURCE_ATTRIBUTES', { ...ENV, OTEL_RESOURCE_ATTRIBUTES: 'a=%zz' }],
  ])("report a mistake in %s with the variable's name and without its value", (name, env) => {
    expect(() => readTracing(env)).toThrow(name);
    expect(() => readTracing(env)).not.toThrow(/secret|zz/);
  });
});

describe('traceparent', () => {
  const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it('is parsed as W3C Trace Context requires; of later versions, only the fields of version 00 are used', () => {
    expect(parseTraceparent(good, true)).toEqual({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      traceFlags: 1,
      isRemote: true,
    });
    expect(parseTraceparent(good.replace(/^00/, '01').concat('-more'))).toMatchObject({ traceFlags: 1 });
    expect(parseTraceparent(good.replace(/01$/, 'fe'))).toMatchObject({ traceFlags: 0 });
  });

  it.each([
    undefined,
    '',
    ' ',
    'x',
    good.toUpperCase(),
    `${good}-more`,
    good.slice(1),
    good.replace(/^00/, 'ff'),
    good.replace(/-b7.*-/, '-0000000000000000-'),
    `${good}\n`,
    good.replace('-', '_'),
  ])('is ignored if it is invalid: %j', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });
});

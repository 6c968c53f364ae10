import { command } from '@ponte/event-sourcing';
import { temporaryFolder } from '@ponte/testing';
import { openEmbeddedEngines } from '../engines/embedded-engines';
import type { Engines } from '../engines/engines';
import { readTracing } from '@ponte/observability';
import { collector, root, useCollector } from './collected-traces.testing';

useCollector();

describe('traces of bus and store', () => {
  let engines: Engines;
  const folder = temporaryFolder();
  beforeEach(async () => {
    engines = await openEmbeddedEngines(
      {
        environment: 'sandbox',
        dataDirectory: folder.path,
        port: 0,
        logLevel: 'silent',
        embeddedByName: true,
        failpoint: null,
        tracing: readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }),
      },
      'test',
    );
  });
  afterEach(() => engines.close());
  afterAll(() => folder.remove());

  it('contain no span for a request without a trace, and a span on each side for one with a trace', async () => {
    const fine = command<object, string>('test', 'fine', () => undefined);
    const seen: (string | undefined)[] = [];
    engines.bus.handle(fine.pattern, async (_payload, { traceparent }) => {
      seen.push(traceparent);
      return 'done';
    });
    await engines.bus.request(fine, {}, { commandId: 'a', correlationId: 'own' });
    const parent = root(engines.tracing);
    await engines.bus.request(fine, {}, { commandId: 'b', correlationId: 'asked', traceparent: parent.traceparent });
    await engines.tracing.inSpan({ traceparent: parent.traceparent }, () =>
      engines.bus.request(fine, {}, { commandId: 'c', correlationId: 'asked' }),
    );
    parent.end();
    expect(seen).toEqual([undefined, expect.stringMatching(/^00-/), expect.stringMatching(/^00-/)]);
    await engines.tracing.stop();
    expect(collector.spans.map(({ name }) => name)).toEqual([
      'test.command.fine',
      'ask test.command.fine',
      'test.command.fine',
      'ask test.command.fine',
      'root',
    ]);
  });

  it('assign an append of several traces to the first one and link it with the others', async () => {
    const [one, other] = [root(engines.tracing), root(engines.tracing)];
    const event = (id: string, traceparent: string) => ({
      id,
      type: 'Tested',
      version: 1,
      data: {},
      meta: {
        commandId: id,
        index: 0,
        count: 1,
        occurredAt: '2026-01-02T03:04:05.678Z',
        correlationId: id,
        traceparent,
      },
    });
    await engines.store.append('outbox-1', -1, [
      event('0b7c2f9e-0000-8000-8000-000000000001', one.traceparent),
      event('0b7c2f9e-0000-8000-8000-000000000002', other.traceparent),
    ]);
    expect((await engines.store.read('outbox-1')).map(({ meta }) => meta.traceparent)).toEqual([
      one.traceparent,
      other.traceparent,
    ]);
    await engines.tracing.stop();
    const [append] = collector.spans;
    expect(append).toMatchObject({
      name: 'append outbox',
      parentSpanId: one.traceparent.split('-')[2],
      links: [expect.objectContaining({ spanId: other.traceparent.split('-')[2] })],
    });
    expect(append?.attributes).not.toHaveProperty('ponte.stream');
  });
});

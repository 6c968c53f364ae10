import { AsyncLocalStorage } from 'node:async_hooks';
import { command } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { temporaryFolder } from '@ponte/testing';
import { openBlobs, readBlobsConfig } from '../blobs';
import { openEmbeddedEngines } from '../engines/embedded-engines';
import { readTracing } from '@ponte/observability';
import { collector, traced, root, useCollector } from './collected-traces.testing';

useCollector();

describe('work that no request caused', () => {
  const [first, second] = ['0b7c2f9e-0000-8000-8000-000000000011', '0b7c2f9e-0000-8000-8000-000000000012'] as const;

  it('has one trace per run of a timer if the run makes a call, and no trace otherwise', async () => {
    const tracing = await traced();
    let later: <T>(work: () => T) => T = (work) => work();
    await tracing.unasked('job idle', async () => undefined);
    await tracing.unasked('job poll', async () => {
      later = AsyncLocalStorage.snapshot();
      await tracing.client('GET rate', { 'ponte.rates.feed': 'usd-brl' }, async () => undefined);
    });
    await expect(
      tracing.unasked('job sweep', async () => {
        await tracing.client('blobs list', {}, async () => undefined);
        throw new Unavailable('service-unavailable');
      }),
    ).rejects.toThrow();
    expect(later(() => tracing.current())).toBeUndefined();
    await tracing.stop();
    expect(collector.spans.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['GET rate', { 'ponte.rates.feed': 'usd-brl' }],
      ['job poll', {}],
      ['blobs list', {}],
      ['job sweep', { 'error.type': 'service-unavailable' }],
    ]);
    const [call, poll, , sweep] = collector.spans;
    expect([call?.parentSpanId, call?.traceId]).toEqual([poll?.spanId, poll?.traceId]);
    expect([poll?.parentSpanId || undefined, sweep?.traceId === poll?.traceId]).toEqual([undefined, false]);
  });

  it('sends requests of a timer without a trace, so that an order continues its own trace', async () => {
    const folder = temporaryFolder();
    const engines = await openEmbeddedEngines(
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
    const carryOn = command<object, string>('test', 'advance', () => undefined);
    const heard = new Promise<string | undefined>((resolve) => {
      engines.bus.handle(carryOn.pattern, async (_payload, { traceparent }) => {
        resolve(traceparent);
        return 'done';
      });
    });
    const own = root(engines.tracing);
    const meta = { index: 0, count: 1, occurredAt: '2026-01-02T03:04:05.678Z', correlationId: 'c' };
    const bucket = {
      'bucket-url': 'http://127.0.0.1:1/files-of-people',
      region: 'sa-east-1',
      'access-key-id': 'AKID',
      'secret-access-key': 'TOPSECRET',
    };
    const blobs = await openBlobs(readBlobsConfig({ BLOBS_S3: JSON.stringify(bucket) }), {
      ...engines,
      dataDirectory: folder.path,
    });
    engines.timers.every('test-sweep', 60_000, async () => {
      await expect(blobs.list({ beforeMs: 0, cursor: null })).rejects.toBeInstanceOf(Unavailable);
      await engines.store.append('order-1', -1, [
        {
          id: first,
          type: 'Tested',
          version: 1,
          data: {},
          meta: { ...meta, commandId: first, traceparent: own.traceparent },
        },
      ]);
      await engines.store.append('deposit-1', -1, [
        { id: second, type: 'Tested', version: 1, data: {}, meta: { ...meta, commandId: second } },
      ]);
      await engines.bus.request(carryOn, {}, { commandId: 'a', correlationId: 'own' });
    });
    engines.timers.start();
    expect(await heard).toBeUndefined();
    await engines.timers.stop();
    await engines.close();
    folder.remove();
    const named = (name: string) => collector.spans.find((span) => span.name === name);
    const job = named('job test-sweep');
    expect(named('append order')?.parentSpanId).toBe(own.traceparent.split('-')[2]);
    expect(
      ['append deposit', 'ask test.command.advance', 'blobs list'].map((name) => named(name)?.parentSpanId),
    ).toEqual([job?.spanId, job?.spanId, job?.spanId]);
    expect(named('blobs list')?.attributes).toEqual({
      'rpc.system.name': 'aws-api',
      'rpc.service': 'S3',
      'rpc.method': 'list',
      'error.type': 'service-unavailable',
    });
    expect(collector.text).not.toMatch(/files-of-people|TOPSECRET|AKID/);
  });
});

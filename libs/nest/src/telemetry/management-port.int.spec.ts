import { readRuntime } from '../process/runtime';
import { startManagement, observability, Readiness } from '@ponte/observability';
import type { Management, ManagementDocument } from '@ponte/observability';

describe('the management port', () => {
  let management: Management;
  let readiness: Readiness;
  const observed = observability();
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${management.port}${path}`, init);
  beforeAll(async () => {
    ({ readiness } = observed);
    management = await startManagement({ port: 0, host: '127.0.0.1', ...observed });
  });
  afterAll(() => management.close());

  test('reports a process as live from its first moment, and as ready from its start until it drains while its engines answer', async () => {
    expect((await get('/health/live')).status).toBe(200);
    expect(await (await get('/health/ready')).text()).toBe('starting\n');
    let away = false;
    readiness.serving({
      'the event store': async () => {
        if (away) throw new Error('esdb://user:secret@host');
      },
    });
    expect((await get('/health/ready')).status).toBe(200);
    away = true;
    const refused = await get('/health/ready');
    expect(refused.status).toBe(503);
    expect(await refused.text()).toBe('no response from the event store\n');
    expect((await get('/health/live')).status).toBe(200);
    away = false;
    readiness.draining();
    expect((await get('/health/ready')).status).toBe(503);
    readiness.serving({});
    expect(await (await get('/health/ready')).text()).toBe('draining\n');
  });

  test("reports a process as not ready within a probe's time limit if an engine does not answer", async () => {
    const silent = new Readiness();
    silent.serving({ 'the database': () => new Promise(() => undefined) });
    expect(await silent.notReadyReason()).toBe('no response from the database');
  });

  test('serves metrics in Prometheus format, including those of the Node.js process', async () => {
    const answer = await get('/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await answer.text();
    expect(text).toContain('\nponte_ready 0\n');
    expect(text).toContain('\nnodejs_eventloop_lag_p99_seconds ');
    expect(text).toContain('\nprocess_cpu_seconds_total ');
  });

  test('serves the documents for operators by their paths', async () => {
    const other = await startManagement({
      port: 0,
      host: '127.0.0.1',
      ...observability(),
      documents: new Map<string, () => string | Promise<ManagementDocument>>([
        ['/staff/openapi.json', () => '{}'],
        ['/page', async () => ({ type: 'text/html', body: '<p>', headers: { 'content-security-policy': 'none' } })],
      ]),
    });
    const page = await fetch(`http://127.0.0.1:${other.port}/page`);
    expect([
      await page.text(),
      ...['content-type', 'content-security-policy'].map((name) => page.headers.get(name)),
    ]).toEqual(['<p>', 'text/html', 'none']);
    const answer = await fetch(`http://127.0.0.1:${other.port}/staff/openapi.json`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/json; charset=utf-8',
      '{}',
    ]);
    await other.close();
  });

  test('serves nothing else', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/metrics', { method: 'POST' })).status).toBe(405);
    expect(await (await get('/health/live', { method: 'HEAD' })).text()).toBe('');
  });

  test('reports a port in use with the name of its variable', async () => {
    await expect(startManagement({ port: management.port, host: '127.0.0.1', ...observability() })).rejects.toThrow(
      /^MANAGEMENT_PORT: .*EADDRINUSE/,
    );
    expect(() => readRuntime({ MANAGEMENT_PORT: '70000' })).toThrow('MANAGEMENT_PORT');
    expect(readRuntime({}).management).toEqual({ port: null, host: '127.0.0.1' });
  });
});

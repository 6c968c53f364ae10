import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import pino from 'pino';
import { CreateWebhookEndpoint, OrderPlaced } from '@ponte/contracts';
import { NO_STREAM, toAppend } from '@ponte/event-sourcing';
import { derivedId, isoTime } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { BusTransport, EnginesModule, openEmbeddedEngines } from '@ponte/nest';
import { readTracing } from '@ponte/observability';
import { eventually, OtlpCollector, temporaryFolder } from '@ponte/testing';
import { CHILD, order } from './testing/fixtures';
import { Receiver } from './testing/receiver';
import { WebhooksModule } from './webhooks.module';

const MINUTE_MS = 60_000;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

it('a retried delivery attempt belongs to the trace of its event, however late, and sends no trace context', async () => {
  const folder = temporaryFolder();
  const [collector, receiver] = await Promise.all([OtlpCollector.start(), Receiver.listen()]);
  const tracing = readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  let aheadMs = 0;
  const opened = await openEmbeddedEngines(
    {
      environment: 'sandbox',
      dataDirectory: folder.path,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
      tracing,
    },
    'webhooks',
    { logger: pino({ level: 'silent' }) },
  );
  const engines: Engines = { ...opened, clock: { now: () => opened.systemClock.now() + aheadMs } };
  const service = await NestFactory.createMicroservice(
    { module: class Root {}, imports: [EnginesModule.forRoot(engines), WebhooksModule] },
    { strategy: new BusTransport(engines.bus), logger: false, abortOnError: false },
  );
  await service.listen();
  engines.timers.start();

  const endpointId = derivedId('endpoint', 'traced');
  const { secret } = await engines.bus.request(
    CreateWebhookEndpoint,
    { accountId: CHILD, endpointId, url: receiver.url('/late'), eventTypes: null },
    { commandId: derivedId('test', 'create'), correlationId: 'setting-up' },
  );
  receiver.secrets.set('/late', await engines.personalData.open(secret));
  receiver.behaviours.set('/late', { status: 500 });
  const id = derivedId('order', 'traced');
  const context = {
    commandId: derivedId('test', 'place'),
    correlationId: 'request-1',
    traceparent: `00-${TRACE}-${SPAN}-01`,
  };
  await engines.store.append(
    `order-${id}`,
    NO_STREAM,
    toAppend([order(id)[0]], [OrderPlaced], context, isoTime(engines.clock.now())),
  );
  await eventually(() => expect(receiver.at('/late')).toHaveLength(1));
  receiver.behaviours.set('/late', { status: 200 });
  await eventually(() => {
    aheadMs += MINUTE_MS;
    expect(receiver.delivered('/late')).toHaveLength(1);
  });

  await engines.timers.stop();
  await service.close();
  await engines.close();
  const attempts = collector.spans.filter(({ name }) => name === 'POST webhook');
  expect(
    attempts.map(({ attributes }) => [
      attributes['http.request.resend_count'],
      attributes['http.response.status_code'],
    ]),
  ).toEqual([
    [0, 500],
    [1, 200],
  ]);
  for (const attempt of attempts)
    expect(attempt).toMatchObject({
      traceId: TRACE,
      parentSpanId: SPAN,
      attributes: { 'ponte.correlation.id': 'request-1', 'ponte.webhook.endpoint.id': endpointId },
    });
  const appended = collector.spans.filter(({ name }) => name === 'append delivery');
  // Only the success is in the log; the failed attempt is in the journal of the read database.
  expect(appended).toHaveLength(1);
  expect(new Set(appended.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  for (const { headers } of receiver.at('/late'))
    expect(Object.keys(headers).filter((name) => name.startsWith('trace'))).toEqual([]);
  await Promise.all([collector.close(), receiver.close()]);
  folder.remove();
});

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable, Module } from '@nestjs/common';
import type { INestMicroservice } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { openInTransit, RecordLiveness } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import type { Engines } from '@ponte/nest';
import { BusTransport, EnginesModule, openEmbeddedEngines } from '@ponte/nest';
import { eventually, freePort, temporaryFolder } from '@ponte/testing';
import { pino } from 'pino';
import { signatureOf } from './vendor/adapters/signed-callback';
import { ChecksModule } from './checks.module';
import type { Blobs } from '@ponte/event-sourcing';
import { BLOBS } from '@ponte/nest';
import { SANDBOX_SANCTIONS } from './screening/adapters/sandbox-lists';
import type { Liveness } from './liveness/liveness.port';
import { LIVENESS } from './liveness/liveness.port';
import type { Screening } from './screening/screening.port';
import { SCREENING } from './screening/screening.port';

const SECRET = 'the secret of provider-1';

@Injectable()
class Asker {
  constructor(
    @Inject(SCREENING) readonly screening: Screening,
    @Inject(LIVENESS) readonly liveness: Liveness,
    @Inject(BLOBS) readonly blobs: Blobs,
  ) {}
}

@Module({ imports: [ChecksModule], providers: [Asker] })
class UnderTest {}

describe('The checks as composed in a process', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let engines: Engines;
  let app: INestMicroservice | undefined;
  let env: NodeJS.ProcessEnv;

  beforeEach(async () => {
    env = { ...process.env };
    folder = temporaryFolder();
    const runtime = {
      environment: 'sandbox' as const,
      dataDirectory: folder.path,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
    };
    engines = await openEmbeddedEngines(runtime, 'onboarding', { logger: pino({ level: 'silent' }) });
  });
  afterEach(async () => {
    process.env = env;
    await engines.timers.stop();
    await app?.close();
    app = undefined;
    await engines.close();
    folder.remove();
  });

  async function start(): Promise<Asker> {
    const built = await Test.createTestingModule({ imports: [EnginesModule.forRoot(engines), UnderTest] }).compile();
    app = built.createNestMicroservice({ strategy: new BusTransport(engines.bus), logger: false });
    await app.listen();
    engines.timers.start();
    return app.get(Asker);
  }

  it('use built-in lists, a simulator and a folder in the sandbox, without any setting', async () => {
    const { screening, liveness, blobs } = await start();
    const subject = { subjectRef: 's', names: ['Ezequiel Brusk'], dateOfBirth: '1964-07-05', country: 'BRA' };
    await expect(screening.screen(subject)).resolves.toMatchObject({ hits: [{ entryId: 'SBi.001', score: 97 }] });
    await expect(liveness.resultOf({ provider: 'provider-1', id: 'session-1' })).resolves.toMatchObject({
      outcome: 'passed',
    });
    await blobs.put('ev_A', Buffer.from('x'), { contentType: 'image/png' });
    expect((await blobs.get('ev_A'))?.bytes.toString()).toBe('x');
  });

  it('measure whether a changed list is refused, how many entries are in use, and how old they are', async () => {
    const file = join(folder.path, 'un.xml');
    const write = (text: string): void => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    };
    write(SANDBOX_SANCTIONS);
    Object.assign(process.env, { SCREENING_LISTS: `un=${file}`, SCREENING_LISTS_MS: '100' });
    await start();
    const read = async (name: string) =>
      (await engines.metrics.registry.getSingleMetric(`ponte_screening_list_${name}`)?.get())?.values;
    expect(await read('refused')).toEqual([{ labels: { list: 'un' }, value: 0 }]);
    expect(await read('age_seconds')).toEqual([{ labels: { list: 'un' }, value: expect.any(Number) as number }]);
    write(SANDBOX_SANCTIONS.slice(0, -30));
    await eventually(async () => expect(await read('refused')).toMatchObject([{ value: 1 }]));
    expect(await read('entries')).toEqual([{ labels: { list: 'un' }, value: 5 }]);
    write(SANDBOX_SANCTIONS);
    await eventually(async () => expect(await read('refused')).toMatchObject([{ value: 0 }]));
  });

  it('turn a signed callback into a command, the same one for each repetition, without logging the session', async () => {
    const port = await freePort();
    process.env['LIVENESS_VENDORS'] = JSON.stringify([
      { name: 'provider-1', 'result-url': 'http://127.0.0.1:9/{id}', callback: { secrets: [SECRET] } },
    ]);
    process.env['PONTE_LIVENESS_PROVIDERS'] = 'provider-1';
    process.env['VENDOR_CALLBACKS_LISTEN'] = `127.0.0.1:${port}`;
    const heard: { payload: PayloadOf<typeof RecordLiveness>; commandId: string }[] = [];
    engines.bus.handle(RecordLiveness.pattern, async (payload, context) => {
      heard.push({ payload: payload as PayloadOf<typeof RecordLiveness>, commandId: context.commandId });
      return { known: true };
    });
    await start();
    const send = async (event: string, secret = SECRET): Promise<number> => {
      const body = JSON.stringify({
        'session-id': 'canary-session',
        status: 'declined',
        'event-id': event,
        'decided-at': '2026-01-02T03:04:05Z',
      });
      const timestamp = String(Math.floor(Date.now() / 1000));
      const headers = {
        'x-timestamp': timestamp,
        'x-signature': signatureOf(secret, timestamp, Buffer.from(body)).toString('hex'),
      };
      return (await fetch(`http://127.0.0.1:${port}/callbacks/liveness/provider-1`, { method: 'POST', body, headers }))
        .status;
    };
    await expect(Promise.all([send('e-1'), send('e-1'), send('e-2')])).resolves.toEqual([204, 204, 204]);
    await expect(send('e-3', 'another secret entirely')).resolves.toBe(401);
    expect(heard).toHaveLength(3);
    expect(new Set(heard.map(({ commandId }) => commandId)).size).toBe(2);
    expect(heard[0]?.payload).toMatchObject({
      provider: 'provider-1',
      outcome: 'failed',
      decidedAt: '2026-01-02T03:04:05.000Z',
    });
    expect(JSON.stringify(heard)).not.toContain('canary');
    await expect(openInTransit(engines.personalData, heard[0]?.payload.sessionId as never)).resolves.toEqual({
      secret: 'canary-session',
    });
  });
});

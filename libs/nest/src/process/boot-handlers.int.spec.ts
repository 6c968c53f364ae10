import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { temporaryFolder } from '@ponte/testing';
import { pino } from 'pino';
import { openEmbeddedEngines } from '../engines/embedded-engines';
import { bootHandlers } from './boot';

@Module({})
class NoService {}

test('a process without an HTTP server is not ready while its jobs finish, and logs when it stops', async () => {
  const log: string[] = [];
  const logger = pino({}, { write: (line) => void log.push((JSON.parse(line) as { msg: string }).msg) });
  const folder = temporaryFolder();
  const engines = await openEmbeddedEngines(
    {
      environment: 'sandbox',
      dataDirectory: folder.path,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
    },
    'test',
    { logger },
  );
  const stop = await bootHandlers(engines, [NoService]);
  let finish: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    engines.timers.every('slow job', 1, () => {
      resolve();
      return new Promise((done) => (finish = done));
    });
  });
  engines.timers.start();
  await begun;
  expect(await engines.readiness.notReadyReason()).toBeUndefined();
  const stopped = stop();
  expect(await engines.readiness.notReadyReason()).toBe('draining');
  expect(log.at(-1)).toBe('the process is stopping');
  finish();
  await stopped;
  expect(log.at(-1)).toBe('the process has finished its work');
  folder.remove();
});

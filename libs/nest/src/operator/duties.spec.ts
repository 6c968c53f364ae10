import { join } from 'node:path';
import type { Job } from '@ponte/concurrency';
import { openSqliteState } from '@ponte/eventstore-sqlite';
import { eventually, temporaryFolder } from '@ponte/testing';
import pino from 'pino';
import type { Engines } from '../engines/engines';
import { serveOperators } from './duties';

test('a release that takes long delays no other action of its process', async () => {
  const folder = temporaryFolder();
  const state = openSqliteState(join(folder.path, 'state.db'), 'off');
  const { actions } = state.operator;
  const jobs: Job[] = [];
  let finish = (_isReleased: boolean): void => undefined;
  const engines = {
    operator: state.operator,
    systemClock: { now: Date.now },
    logger: pino({ level: 'silent' }),
    timers: { every: (_name: string, _ms: number, job: Job) => void jobs.push(job) },
    runtime: {},
    duties: new Map(),
    rewindable: new Map(),
    store: { head: async () => '5' },
    parkingLot: {
      consumes: () => true,
      list: async () => [{ event: { id: 'e1', type: 'OrderPlaced', revision: 1 }, reason: 'TypeError' }],
      release: () => new Promise<boolean>((resolve) => (finish = resolve)),
    },
  } as unknown as Engines;
  serveOperators(engines, []);
  const asked = { actor: 'ana', reason: 'a test', askedAt: new Date().toISOString() };
  await actions.ask({ id: 'a1', verb: 'parked release', subject: { group: 'ledger', key: 'order-1' }, ...asked });
  await actions.ask({ id: 'a2', verb: 'log head', subject: {}, ...asked });
  const running = jobs.map((job) => job(new AbortController().signal));
  await eventually(async () => expect((await actions.find('a2'))?.outcome).toMatchObject({ detail: '5' }));
  expect(await actions.find('a1')).toMatchObject({ takenBy: 'standalone', outcome: null });
  finish(true);
  await Promise.all(running);
  expect((await actions.find('a1'))?.outcome).toMatchObject({ succeeded: true });
  await state.close();
  folder.remove();
});

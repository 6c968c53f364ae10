import { join } from 'node:path';
import type { Job } from '@ponte/concurrency';
import { openSqliteState } from '@ponte/eventstore-sqlite';
import { eventually, temporaryFolder } from '@ponte/testing';
import pino from 'pino';
import type { Engines } from '../engines/engines';
import { serveOperators } from './duties';

test('a release and a log check that take long delay no other action of their process', async () => {
  const folder = temporaryFolder();
  const state = openSqliteState(join(folder.path, 'state.db'), 'off');
  const { actions } = state.operator;
  const jobs: Job[] = [];
  let finish = (_isReleased: boolean): void => undefined;
  let finishCheck = (_report: object): void => undefined;
  const engines = {
    operator: state.operator,
    systemClock: { now: Date.now },
    logger: pino({ level: 'silent' }),
    timers: { every: (_name: string, _ms: number, job: Job) => void jobs.push(job) },
    runtime: {},
    duties: new Map([['chain reconcile', { can: () => true, carryOut: async () => 'reconciled' }]]),
    checkLog: () => new Promise<object>((resolve) => (finishCheck = resolve)),
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
  await actions.ask({ id: 'a2', verb: 'log check', subject: {}, ...asked });
  await actions.ask({ id: 'a3', verb: 'log head', subject: {}, ...asked });
  await actions.ask({ id: 'a4', verb: 'chain reconcile', subject: {}, ...asked });
  const running = jobs.map((job) => job(new AbortController().signal));
  const outcome = async (id: string) => (await actions.find(id))?.outcome;
  await eventually(async () => expect(await outcome('a3')).toMatchObject({ detail: '5' }));
  await eventually(async () => expect(await outcome('a4')).toMatchObject({ detail: 'reconciled' }));
  for (const id of ['a1', 'a2']) expect(await actions.find(id)).toMatchObject({ takenBy: 'standalone', outcome: null });
  finish(true);
  finishCheck({});
  await Promise.all(running);
  for (const id of ['a1', 'a2']) expect(await outcome(id)).toMatchObject({ succeeded: true });
  await state.close();
  folder.remove();
});

import { runProjector } from '@ponte/read-models';
import { serveOperators } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import {
  all,
  anEvent,
  BANK_READER,
  because,
  OperatorUnderTest,
  RELAY,
  rowsOf,
  tableOf,
  READ_MODEL,
} from './testing/operator-under-test';

let operated: OperatorUnderTest;
beforeEach(() => {
  operated = new OperatorUnderTest();
});
afterEach(() => operated.close());

const verb = (...argv: string[]) => operated.verb(...argv);
const json = (...argv: string[]) => operated.json(...argv);

test('a read model is listed with the error that stops it and is rebuilt by the running process', async () => {
  const running = await operated.open();
  const rows = tableOf(running.readModels);
  await rows.prepare();
  serveOperators(running, [READ_MODEL]);
  running.timers.start();
  let broken = true;
  const { store, readModelCheckpoints: checkpoints, lease, logger } = running;
  const projector = runProjector({
    store,
    checkpoints,
    lease,
    logger,
    name: 'orders-list',
    categories: ['order'],
    retryMs: [5],
    apply: async ({ events }) => {
      if (broken) throw new RangeError('a row that cannot be written');
      await rows.putAll(rowsOf(events));
    },
  });
  for (const id of ['a', 'b', 'c']) await store.append(`order-${id}`, -1, [anEvent(id)]);
  await eventually(async () =>
    expect(await json('read-models', 'list')).toMatchObject([
      { name: 'orders-list', behind: 3, trouble: expect.stringContaining('RangeError') },
    ]),
  );
  broken = false;
  await eventually(async () => expect(await json('read-models', 'list')).toMatchObject([{ behind: 0, trouble: null }]));
  const before = await rows.page(all);
  await rows.clear();
  await rows.put({ id: 'unknown', revision: 4, created_at: '2026-01-01T00:00:00.000Z', state: 'x' });
  expect(await verb('read-models', 'rebuild', 'orders-list', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('from 3 events'),
  });
  expect(await rows.page(all)).toEqual(before);
  expect(before.items).toHaveLength(3);
  await projector.stop();
});

test('a relay is rewound by its holder, or by the verb itself when nothing is running, and continues from there', async () => {
  const running = await operated.open();
  const seen: string[] = [];
  const { store, checkpoints, lease, logger } = running;
  const start = () =>
    runProjector({
      store,
      checkpoints,
      lease,
      logger,
      name: RELAY,
      retryMs: [5],
      apply: async ({ events }) => void seen.push(...events.map(({ id }) => id)),
    });
  const relay = start();
  running.rewindable.set(RELAY, relay);
  serveOperators(running, []);
  running.timers.start();
  for (const id of ['a', 'b', 'c']) await store.append(`order-${id}`, -1, [anEvent(id)]);
  await eventually(async () =>
    expect(await json('relay', 'show', RELAY)).toEqual([{ relay: RELAY, position: '3', behind: 0, trouble: null }]),
  );
  expect(await verb('relay', 'rewind', RELAY, '--to', '4', ...because)).toMatchObject({
    code: 1,
    out: expect.stringContaining('beyond the end of the log (3)'),
  });
  expect(await verb('relay', 'rewind', RELAY, '--to', '1', ...because)).toMatchObject({ code: 0 });
  await eventually(() => expect(seen).toEqual(['a', 'b', 'c', 'b', 'c']));
  expect(await verb('relay', 'rewind', RELAY, '--to', 'start', ...because)).toMatchObject({ code: 0 });
  await eventually(() => expect(seen).toHaveLength(8));
  // The checkpoint of a bank reader is a time, not a position in the log.
  await checkpoints.save('received', '2026-01-01T00:00:00.000Z', 1);
  await eventually(async () =>
    expect(await json('checkpoints')).toMatchObject([
      { reader: 'received', behind: null },
      { reader: RELAY, position: '3', behind: 0 },
    ]),
  );
  await relay.stop();
  await operated.closeEngines();
  expect(await verb('relay', 'rewind', RELAY, '--to', 'start', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('when its service starts'),
  });
  expect(await json('relay', 'show', RELAY)).toEqual([{ relay: RELAY, position: 'start', behind: 3, trouble: null }]);
  expect(await verb('relay', 'rewind', RELAY, '--to', '2', ...because)).toMatchObject({
    code: 1,
    out: expect.stringContaining('2 is later than the beginning of the log, where webhook-outbox is now'),
  });
});

test('a reader of the bank moves back only, with its service running and without it', async () => {
  const running = await operated.open();
  const { name } = BANK_READER;
  const [current, earlier, later] = ['2026-01-02', '2026-01-01', '2026-01-03'].map((day) => `${day}T00:00:00.000Z`);
  await running.checkpoints.save(name, current ?? '', 1);
  running.rewindable.set(name, {
    keepsTime: true,
    holds: () => true,
    rewind: (place) => place(2).then(() => true),
  });
  serveOperators(running, []);
  running.timers.start();
  const rewind = (to = '') => verb('relay', 'rewind', name, '--to', to, ...because);
  const forward = {
    code: 1,
    out: expect.stringContaining(`${later} is later than ${current}, where received is now`),
  };
  expect(await rewind(later)).toMatchObject(forward);
  expect(await json('relay', 'show', name)).toMatchObject([{ position: current }]);
  expect(await rewind(current)).toMatchObject({ code: 0 });
  await operated.closeEngines();
  expect(await rewind(later)).toMatchObject(forward);
  expect(await rewind(earlier)).toMatchObject({ code: 0 });
  expect(await json('relay', 'show', name)).toMatchObject([{ position: earlier }]);
  expect(await rewind(current)).toMatchObject({ code: 1 });
});

test('an unknown name is refused with the known names, and nothing is changed without a reason', async () => {
  await operated.open();
  expect(await verb('read-models', 'rebuild', 'order', ...because)).toMatchObject({
    code: 1,
    err: expect.stringContaining('unknown read model order; this service has: orders-list'),
  });
  expect(await verb('relay', 'rewind', 'relay-orders', '--to', 'start', ...because)).toMatchObject({
    code: 1,
    err: expect.stringContaining('this service has: webhook-outbox, received'),
  });
  expect(await verb('parked', 'list', '--topic', 'unknown')).toMatchObject({
    code: 1,
    err: expect.stringContaining('use one of: gateway, onboarding'),
  });
  expect(await verb('read-models', 'rebuild', '--all')).toMatchObject({ code: 2 });
  expect(await json('actions')).toEqual([]);
});

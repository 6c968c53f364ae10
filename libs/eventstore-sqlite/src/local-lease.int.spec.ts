import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { createLocalLease } from './local-lease';
import { openSqliteState } from './state';

const never = new AbortController().signal;

test('a lease whose number could not be stored is not held, so that it can be acquired later', async () => {
  let fence = 0;
  const lease = createLocalLease(() => {
    if ((fence += 1) === 1) throw new Error('the file is locked');
    return fence;
  });
  await expect(lease.acquire('relay', never)).rejects.toThrow('the file is locked');
  const again = await Promise.race([lease.acquire('relay', never), new Promise((done) => setImmediate(done, 'waits'))]);
  expect(again).toMatchObject({ fence: 2 });
});

test('no two holders of a lease get one number, although a concurrent transaction is rolled back', async () => {
  const folder = temporaryFolder();
  const state = openSqliteState(join(folder.path, 'state.db'), 'off');
  const event = { id: 'e', stream: 'order-1', revision: null } as never;
  const fences: number[] = [];
  let failures = 0;
  for (let at = 0; at < 50; at += 1) {
    const adding = state.parkedEvents
      .add({ group: 'g', key: 'order-1', event, reason: '', parkedAt: '' })
      .catch(() => (failures += 1));
    // The lease is acquired at each point of the transaction in turn.
    for (let turns = 0; turns < at; turns += 1) await Promise.resolve();
    const grant = await state.lease.acquire('relay', never);
    fences.push(grant?.fence ?? 0);
    await adding;
    await grant?.release();
  }
  expect([failures, new Set(fences).size]).toEqual([50, 50]);
  await state.close();
  folder.remove();
});

import { join } from 'node:path';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { temporaryFolder } from '@ponte/testing';
import type { AttemptNote } from './attempt-notes.read-model';
import { AttemptNotes } from './attempt-notes.read-model';
import { createDeliveryTables } from './delivery-tables.adapter';

const note = (deliveryId: string, excerpt?: Promise<string>): AttemptNote => ({
  ...{ deliveryId, endpointId: 'e', attempt: 1, latencyMs: 3, at: '2026-03-02T12:00:00.000Z', personal: [] },
  ...(excerpt && { excerpt }),
});

describe('the notes about attempts', () => {
  const folder = temporaryFolder();
  const db = openSqliteReadModels(join(folder.path, 'read-models.db'));
  afterAll(async () => {
    await db.destroy();
    folder.remove();
  });

  it('do not wait for a receiver that sends its response slowly', async () => {
    await createDeliveryTables(db);
    const notes = new AttemptNotes(db, { seal: async (_, text) => `sealed:v1:${text}` });
    let end = (_text: string): void => undefined;
    notes.add(note('slow', new Promise((resolve) => (end = resolve))));
    notes.add(note('fast', Promise.resolve('ok')));
    notes.add(note('silent'));
    await notes.flush();
    expect((await notes.of(['fast', 'silent', 'slow'])).map((row) => [row.delivery_id, row.response])).toEqual([
      ['fast', 'sealed:v1:ok'],
      ['silent', null],
    ]);
    end('late');
    await notes.flush();
    expect(await notes.of(['slow'])).toMatchObject([{ response: 'sealed:v1:late' }]);
  });
});

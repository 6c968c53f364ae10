import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_STREAM } from '@ponte/event-sourcing';
import { openSqliteEventStore } from '@ponte/eventstore-sqlite';
import { anEvent, freshId, openSmallDisk, sayEngine, temporaryFolder } from '@ponte/testing';
import { readRuntime } from '../process/runtime';
import { openEmbeddedEngines } from './embedded-engines';

const DISK_BYTES = 8 * 2 ** 20;

test('a process with embedded engines stops while its disk is full, and loses nothing that it acknowledged', async () => {
  const disk = openSmallDisk(DISK_BYTES);
  sayEngine('a stop on a full disk', disk ? 'a disk in memory' : 'nothing: mounting a disk is not permitted');
  if (!disk) return;
  const runtime = readRuntime({ PONTE_DATA_DIR: disk.path, PONTE_LOG_LEVEL: 'silent' });
  const engines = await openEmbeddedEngines(runtime, 'test');
  const warn = jest.spyOn(engines.logger, 'warn');
  const acknowledged: string[] = [];
  const append = async (): Promise<void> => {
    const stream = `order-${freshId()}`;
    await engines.store.append(stream, NO_STREAM, anEvent());
    acknowledged.push(stream);
  };
  await append();
  disk.fill();
  await expect(
    (async () => {
      for (;;) await append();
    })(),
  ).rejects.toThrow();
  await engines.close();
  expect(warn).toHaveBeenCalledWith(
    expect.anything(),
    expect.stringContaining('the disk is full or cannot be written'),
  );
  // The lock on the folder is held until this process ends, so a copy is opened.
  const copy = temporaryFolder();
  for (const name of ['events.db', 'events.db-wal', 'events.db.head'])
    copyFileSync(join(disk.path, name), join(copy.path, name));
  const again = openSqliteEventStore({ file: join(copy.path, 'events.db') });
  for (const stream of acknowledged) expect(await again.read(stream)).toHaveLength(1);
  await again.close();
  copy.remove();
  disk.remove();
});

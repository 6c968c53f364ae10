import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventsOf, freshId, startChild } from '@ponte/testing';
import { openSqliteEventStore } from './event-store';
import { EventStoreLocked } from './owner';
import { folder, file, everything, expectSound, useLogFolder } from './whole-log.testing';

useLogFolder();

/** Appends endlessly from 32 callers and prints the command of each acknowledged append. */
const WRITER = `
  import { openSqliteEventStore } from './event-store';
  import { eventsOf } from '@ponte/testing/recorded';
  const store = openSqliteEventStore({ file: process.argv[2], writes: process.argv[4] });
  async function write(caller: number) {
    for (let at = 0; ; at += 1) {
      const command = process.argv[3] + '-' + caller + '-' + at;
      const text = 'x'.repeat(200);
      const events = eventsOf(command, ...Array.from({ length: 1 + (at % 3) }, (_, part) => ({ part, text })));
      await store.append('order-' + command, -1, events);
      process.stdout.write(command + '\\n');
    }
  }
  for (let caller = 0; caller < 32; caller += 1) void write(caller);
`.replace('@ponte/testing/recorded', '../../testing/src/recorded');

describe.each(['inline', 'thread'] as const)('%s', (writes) => {
  const open = (durability: 'full' | 'off' = 'full', of = file) =>
    openSqliteEventStore({ file: of, durability, writes });

  test('after repeated kill -9 while it writes, every acknowledged append is completely in the log, and the lock is released', async () => {
    const acknowledged = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const child = startChild(WRITER, __dirname, [file, `round${round}`, writes]);
      let seen = 0;
      for await (const line of child.lines) {
        acknowledged.add(line);
        if ((seen += 1) === 300 + round * 171) child.kill('SIGKILL');
      }
      expect(await child.ended).toBe('SIGKILL');
      const store = open();
      const events = await everything(store);
      expectSound(events);
      const kept = new Set(events.map((event) => event.meta.commandId));
      expect([...acknowledged].filter((command) => !kept.has(command))).toEqual([]);
      await store.close();
    }
  });

  test('a second owner, in this process or another, is refused with an error that names the first', async () => {
    const child = startChild(WRITER, __dirname, [file, 'child', writes]);
    for await (const _ of child.lines) break;
    expect(() => open()).toThrow(EventStoreLocked);
    expect(() => open()).toThrow(new RegExp(`process ${child.pid};`));
    child.kill('SIGKILL');
    await child.ended;
    const store = open();
    expect(() => open()).toThrow(new RegExp(`process ${process.pid};`));
    await store.close();
    await open().close();
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test('after the file was cut off anywhere, all appends before the cut are complete', async () => {
    const store = open('off');
    const acknowledged: { readonly bytes: number; readonly command: string }[] = [];
    const wal = `${file}-wal`;
    for (let at = 0; at < 60; at += 1) {
      const commands = [`a${at}`, `b${at}`, `c${at}`];
      await Promise.all(
        commands.map((command) =>
          store.append(`order-${command}`, NO_STREAM, eventsOf(command, { text: 'x'.repeat(500) }, {})),
        ),
      );
      const bytes = statSync(wal).size;
      acknowledged.push(...commands.map((command) => ({ bytes, command })));
    }
    const size = statSync(wal).size;
    for (let cut = 0; cut < 40; cut += 1) {
      const copy = join(folder.path, `copy${cut}.db`);
      copyFileSync(file, copy);
      copyFileSync(wal, `${copy}-wal`);
      const left = cut === 0 ? size : Math.floor(size * ((cut * 0.618_034) % 1));
      truncateSync(`${copy}-wal`, left);
      const again = open('off', copy);
      const events = await everything(again);
      expectSound(events);
      const kept = new Set(events.map((event) => event.meta.commandId));
      expect(acknowledged.filter(({ bytes, command }) => bytes <= left && !kept.has(command))).toEqual([]);
      await expect(again.append(`order-${freshId()}`, NO_STREAM, anEvent())).resolves.toMatchObject({ revision: 0 });
      await again.close();
    }
    await store.close();
  });
});

import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { EventStoreUnavailable, NO_STREAM, withFailpoints } from '@ponte/event-sourcing';
import { anEvent, eventsOf, freshId, startChild, temporaryFolder } from '@ponte/testing';
import { openSqliteEventStore } from './event-store';
import { EventStoreLocked } from './owner';

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, 'events.db');
});
afterEach(() => folder.remove());

async function everything(store: EventStore): Promise<Recorded[]> {
  const events: Recorded[] = [];
  if ((await store.head()) === undefined) return events;
  for await (const slice of store.subscribe()) {
    events.push(...slice.events);
    if (slice.caughtUp) break;
  }
  return events;
}

/** The log may hold whole appends only, revisions and positions without gaps. */
function expectSound(events: readonly Recorded[]): void {
  const heads = new Map<string, number>();
  const commands = new Map<string, number>();
  const gaps = events.filter((event, at) => {
    const next = (heads.get(event.stream) ?? -1) + 1;
    heads.set(event.stream, event.revision);
    commands.set(event.meta.commandId, (commands.get(event.meta.commandId) ?? 0) + 1);
    return event.position !== String(at + 1) || event.revision !== next;
  });
  const torn = events.filter((event) => commands.get(event.meta.commandId) !== event.meta.count);
  expect({ gaps, torn }).toEqual({ gaps: [], torn: [] });
}

/** Appends from 32 callers for ever, and prints the command of each append that was acknowledged. */
const WRITER = `
  import { writeSync } from 'node:fs';
  import { openSqliteEventStore } from './event-store';
  import { eventsOf } from '@ponte/testing/recorded';
  const store = openSqliteEventStore({ file: process.argv[2], writes: process.argv[4] });
  async function write(caller: number) {
    for (let at = 0; ; at += 1) {
      const command = process.argv[3] + '-' + caller + '-' + at;
      const events = eventsOf(command, ...Array.from({ length: 1 + (at % 3) }, (_, part) => ({ part, text: 'x'.repeat(200) })));
      await store.append('order-' + command, -1, events);
      writeSync(1, command + '\\n');
    }
  }
  for (let caller = 0; caller < 32; caller += 1) void write(caller);
`.replace('@ponte/testing/recorded', '../../testing/src/recorded');

describe.each(['inline', 'thread'] as const)('%s', (writes) => {
  const open = (durability: 'full' | 'off' = 'full', of = file) =>
    openSqliteEventStore({ file: of, durability, writes });

  test('killed with -9 while it writes, again and again: what was acknowledged is in the log, whole, and the lock goes with the process', async () => {
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

  test('a second owner is refused by a clear error that names the first, from this process and from another', async () => {
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

  test('groups of one and groups of many, in turns and at once, are one log, and a stream that exists is refused in either', async () => {
    const store = open('off');
    const append = (stream: string) => store.append(`order-${stream}`, NO_STREAM, eventsOf(stream, {}, {}));
    for (let round = 0; round < 4; round += 1) {
      await append(`alone${round}`);
      const many = await Promise.allSettled(
        Array.from({ length: 50 }, (_, at) => append(at === 25 ? `again${round}` : `many${round}-${at}`)),
      );
      expect(many.every(({ status }) => status === 'fulfilled')).toBe(true);
      await expect(store.append(`order-again${round}`, NO_STREAM, anEvent())).rejects.toThrow('stands at revision 1');
      const others = await Promise.allSettled([
        store.append('order-alone0', NO_STREAM, anEvent()),
        ...Array.from({ length: 40 }, (_, at) => append(`more${round}-${at}`)),
      ]);
      expect(others.map(({ status }) => status)).toEqual(['rejected', ...Array<string>(40).fill('fulfilled')]);
    }
    const events = await everything(store);
    expectSound(events);
    expect(events).toHaveLength(4 * 2 * (1 + 50 + 40));
    await store.close();
  });

  test('a stream is read alike while it is in memory as a text, when more of it came, and from the file', async () => {
    const store = open('off');
    const [first, second] = [anEvent({ text: 'é"\\\n', none: null, list: [1, { deep: true }] }), anEvent({ at: 2 })];
    await Promise.all([store.append('order-1', NO_STREAM, first), store.append('order-2', NO_STREAM, anEvent())]);
    const [begun] = await store.read('order-1');
    expect(begun).toMatchObject({ stream: 'order-1', revision: 0, position: '1', ...first[0] });
    expect(
      await Promise.all(
        [{ from: 0, limit: 1 }, { from: 1 }, { limit: 0 }].map((options) => store.read('order-1', options)),
      ),
    ).toEqual([[begun], [], []]);
    await expect(store.append('order-1', NO_STREAM, anEvent())).rejects.toThrow('stands at revision 0');
    expect(await store.append('order-1', NO_STREAM, first)).toEqual({ revision: 0, position: '1' });
    await store.append('order-1', 0, second);
    const both = await store.read('order-1');
    expect(both).toEqual([begun, expect.objectContaining({ revision: 1, position: '3', ...second[0] })]);
    await store.close();
    const again = open('off');
    expect(await again.read('order-1')).toEqual(both);
    expect(await again.read('order-1', { limit: 1 })).toEqual([begun]);
    await again.close();
  });

  test('a torn tail: cut anywhere, what was on the disk before the cut is there, whole', async () => {
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

  test('a full disk: the append is refused as unavailable, nothing of it is kept, reading goes on', async () => {
    const store = openSqliteEventStore({ file, durability: 'off', maxBytes: 400_000, writes });
    const big = (): Promise<unknown> =>
      store.append(
        `order-${freshId()}`,
        NO_STREAM,
        eventsOf(freshId(), { text: 'x'.repeat(20_000) }, { text: 'y'.repeat(20_000) }),
      );
    let kept = 0;
    const fill = async (): Promise<unknown> => {
      for (;;) {
        await big();
        kept += 1;
      }
    };
    await expect(fill()).rejects.toThrow(EventStoreUnavailable);
    const outcomes = await Promise.allSettled([big(), big()]);
    expect(outcomes.every((one) => one.status === 'rejected' && one.reason instanceof EventStoreUnavailable)).toBe(
      true,
    );
    expect(await everything(store)).toHaveLength(2 * kept);
    await store.close();
    const roomier = open('off');
    await expect(roomier.append('order-1', NO_STREAM, anEvent())).resolves.toMatchObject({ revision: 0 });
    expectSound(await everything(roomier));
    await roomier.close();
  });

  test('a reader far behind the events in memory gets everything from the table, also while others write', async () => {
    const store = open('off');
    const slow = store.subscribe({ batchSize: 1_000 });
    const total = 25_000;
    let last = 0;
    const write = async (): Promise<void> => {
      for (let at = 0; at < total; at += 1_000) {
        await Promise.all(
          Array.from({ length: 1_000 }, (_, part) => store.append(`order-${at + part}`, NO_STREAM, anEvent())),
        );
      }
    };
    const writing = write();
    for await (const slice of slow) {
      const first = last + 1;
      expect(slice.events.map((event) => Number(event.position))).toEqual(slice.events.map((_, at) => first + at));
      last += slice.events.length;
      if (last < 3_000)
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      if (last === 1_000) await writing;
      if (last === total) break;
    }
    await writing;
    await store.close();
  });
});

describe('failpoints', () => {
  const child = (spec: string) =>
    startChild(
      `
    import { writeSync } from 'node:fs';
    import { openSqliteEventStore } from './event-store';
    import { withFailpoints } from '@ponte/event-sourcing';
    import { eventsOf } from '../../testing/src/recorded';
    const store = withFailpoints(openSqliteEventStore({ file: process.argv[2] }), process.argv[3]);
    (async () => {
      for (let at = 0; at < 5; at += 1) {
        await store.append('order-' + at, -1, eventsOf('command' + at, {}));
        writeSync(1, at + '\\n');
      }
      await store.close();
    })();
  `,
      __dirname,
      [file, spec],
      { NODE_ENV: 'test' },
    );

  test.each([
    ['before:SomethingHappened', 'SIGKILL', 0, 0],
    ['after:SomethingHappened', 'SIGKILL', 0, 1],
    ['before:SomethingHappened:3', 'SIGKILL', 2, 2],
    ['after:SomethingHappened:3', 'SIGKILL', 2, 3],
    ['after:SomethingElse', 0, 5, 5],
  ])('%s ends with %s: %i were answered, %i are in the log', async (spec, ending, answered, kept) => {
    const running = child(spec);
    const lines: string[] = [];
    for await (const line of running.lines) lines.push(line);
    expect(await running.ended).toBe(ending);
    const store = openSqliteEventStore({ file });
    expect([lines.length, (await everything(store)).length]).toEqual([answered, kept]);
    await store.close();
  });

  test('are refused in production and when they make no sense; none leaves the store as it is', () => {
    const store = openSqliteEventStore({ file, durability: 'off' });
    expect(withFailpoints(store, null)).toBe(store);
    expect(withFailpoints(store, 'none')).toBe(store);
    expect(() => withFailpoints(store, 'sometimes:OrderPlaced')).toThrow('not a failpoint');
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      expect(() => withFailpoints(store, 'before:OrderPlaced')).toThrow('not for production');
    } finally {
      process.env['NODE_ENV'] = before;
    }
    return store.close();
  });
});

describe.each(['inline', 'thread'] as const)('readers of other things, %s', (writes) => {
  const open = () => openSqliteEventStore({ file, durability: 'off', writes });
  const seenBy = (store: EventStore, categories: readonly string[], after: string | undefined) => {
    const slices: { events: number; position: string; caughtUp: boolean }[] = [];
    const subscription = store.subscribe({ categories, after });
    const ended = (async () => {
      for await (const { events, position, caughtUp } of subscription)
        slices.push({ events: events.length, position, caughtUp });
    })();
    return {
      slices,
      close: async () => {
        await subscription.close();
        await ended;
      },
    };
  };
  const until = async (holds: () => boolean): Promise<void> => {
    const end = Date.now() + 5_000;
    while (!holds()) {
      if (Date.now() > end) throw new Error('it did not come to hold');
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
  };

  test('a reader is not woken for other streams, and still learns the position of the log', async () => {
    const store = open();
    await store.append('mine-1', NO_STREAM, anEvent());
    const reader = seenBy(store, ['mine'], undefined);
    await until(() => reader.slices.length === 1);
    for (let at = 0; at < 100; at += 1) await store.append(`other-${at}`, NO_STREAM, anEvent());
    await until(() => reader.slices.at(-1)?.position === '101');
    expect(reader.slices.length).toBeLessThan(20);
    expect(reader.slices.at(-1)).toEqual({ events: 0, position: '101', caughtUp: true });
    await store.append('mine-1', 0, anEvent());
    await until(() => reader.slices.at(-1)?.position === '102');
    expect(reader.slices.reduce((sum, { events }) => sum + events, 0)).toBe(2);
    await reader.close();
    await store.close();
  });

  test('a reader that comes later for what no one wanted when it was written finds it in the file', async () => {
    const store = open();
    const other = seenBy(store, ['other'], undefined);
    for (let at = 0; at < 300; at += 1) await store.append(`late-${at}`, NO_STREAM, anEvent());
    const late = seenBy(store, ['late'], '100');
    await until(() => late.slices.at(-1)?.position === '300');
    expect(late.slices.reduce((sum, { events }) => sum + events, 0)).toBe(200);
    await store.append('late-300', NO_STREAM, anEvent());
    await until(() => late.slices.at(-1)?.position === '301');
    await Promise.all([other.close(), late.close()]);
    await store.close();
  });

  test('appends that begin existing streams are refused or answered as the first time, and the others of their group are kept', async () => {
    let store = open();
    const first = anEvent();
    await store.append('order-1', NO_STREAM, first);
    await store.append('order-2', NO_STREAM, anEvent());
    await store.close();
    store = open();
    const outcomes = await Promise.allSettled([
      store.append('order-3', NO_STREAM, anEvent()),
      store.append('order-1', NO_STREAM, first),
      store.append('order-2', NO_STREAM, anEvent()),
      store.append('order-3', 0, anEvent()),
      store.append('order-4', NO_STREAM, anEvent()),
    ]);
    expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).name))).toEqual([
      { revision: 0, position: '3' },
      { revision: 0, position: '1' },
      'WrongExpectedRevision',
      { revision: 1, position: '4' },
      { revision: 0, position: '5' },
    ]);
    expectSound(await everything(store));
    await store.close();
  });
});

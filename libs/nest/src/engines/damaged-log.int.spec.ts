import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventLogDamaged } from '@ponte/eventstore-sqlite';
import type { EventStore } from '@ponte/event-sourcing';
import { instrument } from '@ponte/kernel';
import { AppendOutcomeUnknown, EventStoreUnavailable, NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, MemoryEventStore, temporaryFolder } from '@ponte/testing';
import pino from 'pino';
import { openEmbeddedEngines } from './embedded-engines';
import { assertReadersWithinLog } from './log-positions';
import { AppendHealth, Readiness } from '@ponte/observability';
import { serveOperators } from '../operator/duties';
import { openEmbeddedTools } from '../operator/embedded-tools';
import { operatorVerbs, runOperator } from '@ponte/operator';
import type { Runtime } from '../process/runtime';

let folder: ReturnType<typeof temporaryFolder>;
let runtime: Runtime;
beforeEach(() => {
  folder = temporaryFolder();
  runtime = {
    environment: 'sandbox',
    dataDirectory: folder.path,
    port: 0,
    logLevel: 'silent',
    embeddedByName: true,
    failpoint: null,
  };
});
afterEach(() => folder.remove());

const start = () => openEmbeddedEngines(runtime, 'test', { logger: pino({ level: 'silent' }) });
async function verb(...words: string[]): Promise<{ code: number; said: string }> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const code = await runOperator(
    async (open, say) => {
      const [log] = operatorVerbs(open, say).filter((one) => one.name() === words[0]);
      await log?.parseAsync(words.slice(1), { from: 'user' });
    },
    () => openEmbeddedTools(runtime, [], []),
    { print, complain: print },
  );
  return { code, said: lines.join('\n') };
}

test('a data folder that cannot be created is named together with its variable', async () => {
  const file = join(folder.path, 'a-file');
  writeFileSync(file, '');
  runtime = { ...runtime, dataDirectory: file };
  await expect(start()).rejects.toThrow(`PONTE_DATA_DIR: ${file} cannot be used as a folder (EEXIST)`);
});

describe('a process over a log that lost events', () => {
  async function eventful(): Promise<void> {
    const engines = await start();
    for (let at = 0; at < 10; at += 1) await engines.store.append(`order-${at}`, NO_STREAM, anEvent());
    await engines.checkpoints.save('a reader', '10');
    await engines.readModelCheckpoints.save('a read model', '9');
    await engines.checkpoints.save('of the bank', '2026-01-01T00:00:00.000Z');
    await engines.close();
  }

  it('does not start when a reader is beyond the end of a log that is itself undamaged', async () => {
    await eventful();
    for (const name of ['events.db', 'events.db.head']) rmSync(join(folder.path, name));
    const refused: unknown = await start().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(EventLogDamaged);
    expect(String(refused)).toContain(join(folder.path, 'events.db'));
    expect(String(refused)).toMatch(
      /ends at position 0, but these readers are further: a reader \(10\), a read model \(9\); .*restore the whole folder from a backup/,
    );
    // The data folder was released.
    expect(await start().catch((error: Error) => error.name)).toBe('EventLogDamaged');
  });

  it('starts when every reader is within the log', async () => {
    await eventful();
    await (await start()).close();
    await expect(
      assertReadersWithinLog('', new MemoryEventStore({ soleWriter: false }), [{ reader: 'elsewhere', position: '7' }]),
    ).resolves.toBeUndefined();
  });

  it('can be checked with "log check" alone, through a running process, and if none can start', async () => {
    await eventful();
    expect(await verb('log', 'check')).toEqual({
      code: 0,
      said: '10 events in 10 streams: nothing is missing and all checksums are correct',
    });
    const engines = await start();
    serveOperators(engines, []);
    engines.timers.start();
    expect(await verb('log', 'check')).toEqual({
      code: 0,
      said: '10 events in 10 streams: nothing is missing and all checksums are correct',
    });
    await engines.close();
    writeFileSync(join(folder.path, 'events.db'), '');
    const { code, said } = await verb('log', 'check', '--json');
    expect(code).toBe(1);
    expect((JSON.parse(said) as { faults: string[] }).faults).toEqual([
      expect.stringMatching(/ends at position 0, but events up to position 10 were acknowledged/),
    ]);
  });
});

describe('the events of a stream', () => {
  it('are listed by "log show" alone and through a running process, without an entry among the actions', async () => {
    const engines = await start();
    await engines.store.append('order-1', NO_STREAM, anEvent({ amount: '1.00' }));
    await engines.close();
    const shown = await verb('log', 'show', 'order-1');
    expect(shown).toMatchObject({ code: 0, said: expect.stringMatching(/^REVISION +TYPE .*\n0 +\w+ /) });
    expect(shown.said).not.toContain('1.00');
    const running = await start();
    serveOperators(running, []);
    running.timers.start();
    expect(await verb('log', 'show', 'order-1')).toEqual(shown);
    expect(JSON.parse((await verb('log', 'show', 'order-1', '--json')).said)).toMatchObject([
      { revision: 0, data: { amount: '1.00' } },
    ]);
    expect(await verb('log', 'show', 'order-2')).toEqual({ code: 0, said: 'there is no stream order-2' });
    expect(await verb('actions')).toEqual({ code: 0, said: 'no operator has changed anything' });
    // A script may read often.
    expect(await running.operator.actions.list(10)).toEqual([]);
    await running.close();
  });
});

describe('readiness', () => {
  it('reports that the log accepts no events', async () => {
    const engines = await start();
    const readiness = new Readiness();
    readiness.serving(engines.probes);
    expect(await readiness.notReadyReason()).toBeUndefined();
    readiness.serving({
      ...engines.probes,
      'the event log': () =>
        Promise.reject(new EventStoreUnavailable('the event log cannot be written: the disk is full')),
    });
    expect(await readiness.notReadyReason()).toBe('the event log cannot be written: the disk is full');
    await engines.close();
  });

  it('of a cluster process is lost with an append that the store did not accept, and returns', async () => {
    let now = 0;
    const health = new AppendHealth(() => now);
    const memory = new MemoryEventStore({ soleWriter: false });
    const store = instrument<EventStore>(memory, [health.decorator]);
    await store.append('order-1', NO_STREAM, anEvent());
    await expect(health.assertWorking()).resolves.toBeUndefined();
    memory.faults.next({ kind: 'refuse' });
    await expect(store.append('order-2', NO_STREAM, anEvent())).rejects.toThrow(EventStoreUnavailable);
    await expect(health.assertWorking()).rejects.toThrow('the event store accepts no events');
    await expect(store.append('order-1', NO_STREAM, anEvent())).rejects.toThrow('is at revision');
    await expect(health.assertWorking()).resolves.toBeUndefined();
    memory.faults.next({ kind: 'drop' });
    await expect(store.append('order-3', NO_STREAM, anEvent())).rejects.toThrow(AppendOutcomeUnknown);
    await expect(health.assertWorking()).rejects.toThrow();
    now = 10_000;
    await expect(health.assertWorking()).resolves.toBeUndefined();
  });
});

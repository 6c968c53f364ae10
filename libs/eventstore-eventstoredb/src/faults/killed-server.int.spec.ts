import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventsOf, eventually, freshId, temporaryFolder } from '@ponte/testing';
import { endings, start, open, numbers, counted, endsServers } from './faulty-servers.testing';

endsServers();

describe('a killed server', () => {
  const cache = join(process.cwd(), 'node_modules/.cache/ponte-esdb-server');
  const program = join(cache, 'serve.cjs');

  beforeAll(() => {
    mkdirSync(cache, { recursive: true });
    buildSync({
      entryPoints: [join(process.cwd(), 'libs/testing/src/esdb-server/serve.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    });
  });

  async function serve(
    file: string,
    port = '0',
  ): Promise<{ readonly child: ChildProcess; readonly connectionString: string }> {
    const child = spawn(process.execPath, [program, '--port', port, '--file', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    endings.push(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
    const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [string];
    return { child, ...(JSON.parse(line) as { connectionString: string }) };
  }

  test('loses no acknowledged append of 200 in flight, and has each once after a repetition', async () => {
    const folder = temporaryFolder();
    endings.push(async () => folder.remove());
    const file = join(folder.path, 'esdb.log');
    const first = await serve(file);
    const store = await open(first.connectionString);
    const run = freshId();
    const commands = counted(200).map((at) => ({
      stream: `kill-${run}${at}`,
      events: eventsOf(freshId(), { at, part: 1 }, { at, part: 2 }),
    }));
    const acknowledged: string[] = [];
    const appends = commands.map(async ({ stream, events }) => {
      await store.append(stream, NO_STREAM, events);
      acknowledged.push(stream);
      if (acknowledged.length === 60) first.child.kill('SIGKILL');
    });
    const outcomes = await Promise.allSettled(appends);
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);

    await serve(file, new URL(first.connectionString).port);
    for (const stream of acknowledged) expect(await eventually(() => store.read(stream))).toHaveLength(2);
    const again = await Promise.all(
      commands.map(({ stream, events }) => eventually(() => store.append(stream, NO_STREAM, events))),
    );
    expect(again.every(({ revision }) => revision === 1)).toBe(true);
    for (const { stream } of commands) expect(await store.read(stream)).toHaveLength(2);
  });

  test('cuts off a partly written tail, keeps complete appends, and later appends can be read', async () => {
    const folder = temporaryFolder();
    endings.push(async () => folder.remove());
    const file = join(folder.path, 'esdb.log');
    const server = await start({ file });
    const store = await open(server.connectionString);
    await store.append('torn-1', NO_STREAM, anEvent({ at: 0 }));
    const whole = readFileSync(file).length;
    await store.append('torn-1', 0, eventsOf(freshId(), { at: 1 }, { at: 2 }));
    for (const cut of [1, 9, 60]) {
      truncateSync(file, readFileSync(file).length - cut);
      await server.restart();
      expect(numbers(await eventually(() => store.read('torn-1')))).toEqual([0]);
      expect(readFileSync(file)).toHaveLength(whole);
      const events = eventsOf(freshId(), { at: 1 }, { at: 2 });
      await eventually(() => store.append('torn-1', 0, events));
      await server.restart();
      expect(numbers(await eventually(() => store.read('torn-1')))).toEqual([0, 1, 2]);
    }
  });
});

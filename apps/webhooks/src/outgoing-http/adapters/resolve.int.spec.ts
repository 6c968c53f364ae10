import { execFileSync } from 'node:child_process';
import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withTimeout } from '@ponte/concurrency';
import { resolverFor } from './resolve';

const A = 1;
const HEADER_BYTES = 12;

/** The answer of a name server to a query: one address for a question about IPv4 addresses, and none for others. */
function answerTo(query: Buffer): Buffer {
  const isA = query.readUInt16BE(query.indexOf(0, HEADER_BYTES) + 1) === A;
  const question = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5);
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(isA ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34]);
  return Buffer.concat([header, question, ...(isA ? [record] : [])]);
}

/** More than the default of libuv, which is 4. */
const THREADS = 8;

/** Occupies all threads of the process: opening a pipe to read waits until it is opened to write. */
function occupyThreads() {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-pipes-'));
  const pipes = Array.from({ length: THREADS }, (_, at) => join(folder, `${at}`));
  execFileSync('mkfifo', pipes);
  let waiting = pipes.length;
  const readers = pipes.map(async (pipe) => {
    const reader = await open(pipe);
    waiting -= 1;
    await reader.close();
  });
  return {
    waiting: () => waiting,
    async release() {
      const writers = pipes.map((pipe) => openSync(pipe, constants.O_RDWR));
      await Promise.all(readers);
      for (const writer of writers) closeSync(writer);
      rmSync(folder, { recursive: true });
    },
  };
}

describe('the name resolution for webhook targets', () => {
  let server: Socket;
  const queriedNames: string[] = [];
  let servers: string[];

  beforeAll(async () => {
    server = createSocket('udp4', (query, { port, address }) => {
      const name = query.subarray(HEADER_BYTES).toString('latin1');
      queriedNames.push(name);
      if (!name.includes('silent')) server.send(answerTo(query), port, address);
    });
    await new Promise<void>((resolve) => {
      server.bind(0, '127.0.0.1', resolve);
    });
    servers = [`127.0.0.1:${server.address().port}`];
  });
  afterAll(() => {
    server.close();
  });

  it('answers while names of other partners get no answer, and while the threads of the process are busy', async () => {
    const resolve = resolverFor({ privateAllowed: false }, servers);
    const silent = Array.from({ length: 50 }, (_, at) => resolve(`silent${at}.example`).catch(() => []));
    const threads = occupyThreads();
    try {
      const found = await withTimeout(20_000, resolve('partner.example'));
      expect(found).toEqual([{ address: '93.184.216.34', family: 4 }]);
      expect(threads.waiting()).toBe(THREADS);
    } finally {
      await threads.release();
    }
    expect((await Promise.all(silent)).flat()).toEqual([]);
  });

  it('needs no name server for an address, and rejects a name that does not exist', async () => {
    const resolve = resolverFor({ privateAllowed: false }, servers);
    queriedNames.length = 0;
    expect(await resolve('93.184.216.34')).toEqual([{ address: '93.184.216.34', family: 4 }]);
    expect(await resolve('::1')).toEqual([{ address: '::1', family: 6 }]);
    expect(queriedNames).toEqual([]);
    await expect(resolverFor({ privateAllowed: false }, ['127.0.0.1:1'])('partner.example')).rejects.toThrow();
  });
});

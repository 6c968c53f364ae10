import 'reflect-metadata';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteEventStore } from '@ponte/eventstore-sqlite';
import { OUTBOX_READER } from '../../../webhooks/src/outbox/reader-progress';
import { startCluster } from '../../src/cluster';
import { readySandbox } from '../../src/ready-sandbox';
import { beforeAppend, HeldLog } from './held-log';
import { Target } from '../load/load';
import { BUY_BRLV, Partner } from '../load/partner';

/** Warm-up requests, so that the measured request does no first-time work. */
const WARM_UP = 5;
/** Most of what a request causes has ended after this time. */
const QUIET_MS = 1_000;
/** How often a measured request is repeated. Background work comes at its own times, and misses some of the rounds. */
const ROUNDS = 12;

interface Measured {
  /** The files that ran until {@link RunningFiles.endPath}. */
  readonly path: ReadonlySet<string>;
  /** The files that ran until the request was over. */
  readonly all: ReadonlySet<string>;
}

/** Notes the files whose functions run, which `probes.cjs` has made to report their calls. */
class RunningFiles {
  /** The file of each function, by its number. */
  private readonly fileOf = JSON.parse(readFileSync(`${__filename}.probes.json`, 'utf8')) as readonly string[];
  private readonly ran = new Set<string>();
  private path: ReadonlySet<string> | undefined;

  constructor() {
    Object.assign(globalThis, { ran: (id: number) => this.ran.add(this.fileOf[id] ?? '') });
  }

  /** Ends the path of the request in progress. Only the first call of a round counts. */
  endPath(): void {
    this.path ??= new Set(this.ran);
  }

  /** The files that run in every round of a request. */
  async ofEvery(request: () => Promise<unknown>): Promise<Measured> {
    const paths: ReadonlySet<string>[] = [];
    const all: ReadonlySet<string>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await pause(QUIET_MS);
      this.path = undefined;
      this.ran.clear();
      await request();
      if (!this.path) throw new Error('a request did not reach the end of its path');
      paths.push(this.path);
      all.push(new Set(this.ran));
    }
    return { path: common(paths), all: common(all) };
  }
}

const common = ([first = new Set(), ...others]: readonly ReadonlySet<string>[]): ReadonlySet<string> =>
  new Set([...first].filter((file) => others.every((other) => other.has(file))));

/**
 * Lists our source files on the paths of two requests through the embedded cluster:
 *
 * - `POST /quotes` from the socket to the append: what runs until the event store is asked to append the quote's
 *   events. What the store does then, and the metrics around it, belong to the engine behind the port and are not
 *   listed.
 * - `POST /orders` from the socket to the first webhook: what runs until the webhook arrives at its receiver. This
 *   includes the work of the store, because the order's events are read from the log on the way. Meanwhile, only the
 *   reader of the outbox gets events. All other readers are held: policies, such as the settlement of the order, read
 *   models and reports. The webhook arrives anyway, so none of them is on its path.
 *
 * A file is listed if a function of it runs in that time in every round. It does not matter what called the function,
 * so work that continues in a timer, a queue or a callback is listed too; and so is what runs beside the path in every
 * round, such as saving the place of the reader.
 *
 * - Work that a request does only now and then, such as looking up an API key again, is not listed; nor are timers and
 *   sweeps, because a round takes much less time than passes between two of their turns.
 * - Functions that run in other threads, such as the transactions of the store, are not seen. Neither are files that
 *   declare only types, constants or fields.
 *
 * For comparison, the files beside the path are listed too: those of a quote until its response, and those of an order
 * if all readers get its events.
 */
async function main(): Promise<void> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'ponte-files-'));
  let received = (_webhook: string): void => undefined;
  const receiver = createServer((request, response) => {
    void text(request).then((webhook) => {
      received(webhook);
      response.writeHead(204).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  process.env['MOVEMENTS_CHAINS'] = 'simulated';
  const log = new HeldLog(openSqliteEventStore({ file: join(dataDirectory, 'events.db'), writes: 'thread' }));
  const runtime = {
    environment: 'sandbox',
    dataDirectory,
    port: 0,
    logLevel: 'error',
    embeddedByName: true,
    failpoint: null,
  } as const;
  const cluster = await startCluster(runtime, { store: log.store });
  const sandbox = await readySandbox(cluster, dataDirectory);
  const target = new Target(sandbox['base-url'], 1);
  const partner = new Partner(sandbox, target);
  const accountId = sandbox['subaccount-id'];
  const account = `/api/v1/accounts/${accountId}`;
  await partner.ask(
    partner.post(`${account}/webhook-endpoints`, {
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    }),
  );
  await partner.ask(partner.post('/api/v1/sandbox/pix-payments', { 'account-id': accountId, amount: '1000.00' }));
  await pause(QUIET_MS);
  const files = new RunningFiles();

  const quoted = (): Promise<{ id: string }> => partner.ask(partner.quote(accountId, BUY_BRLV));
  for (let count = 0; count < WARM_UP; count += 1) await quoted();
  const undo = beforeAppend(cluster.engines.store, 'quote', () => files.endPath());
  const ofQuote = await files.ofEvery(quoted);
  undo();
  print('POST /quotes', 'from the socket to the append', ofQuote.path);
  print('POST /quotes', 'beside this path, until the response', without(ofQuote.all, ofQuote.path));

  const quotes: { id: string }[] = [];
  while (quotes.length < 2 * ROUNDS + WARM_UP) quotes.push(await quoted());
  const order = async (): Promise<void> => {
    const quoteId = quotes.pop()?.id ?? '';
    const arrived = new Promise<void>((resolve) => {
      received = (webhook) => {
        // Earlier orders have webhooks too, for example when they are settled.
        if (!webhook.includes(quoteId)) return;
        files.endPath();
        resolve();
      };
    });
    await partner.ask(partner.post(`${account}/orders`, { 'quote-id': quoteId }));
    await arrived;
  };
  for (let count = 0; count < WARM_UP; count += 1) await order();
  const withAllReaders = await files.ofEvery(order);
  log.letOnlyRead(OUTBOX_READER);
  const { path } = await files.ofEvery(order);
  log.letAllRead();
  print('POST /orders', 'from the socket to the first webhook', path);
  print('POST /orders', 'beside this path, by other readers', without(withAllReaders.path, path));

  await target.close();
  await cluster.stop();
  receiver.close();
  rmSync(dataDirectory, { recursive: true, force: true });
}

const without = (files: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...files].filter((file) => !others.has(file)));

function print(request: string, part: string, files: ReadonlySet<string>): void {
  const lines = [...files].sort().map((file) => `  ${file}\n`);
  process.stdout.write(`${request}, ${part}: ${files.size} files\n${lines.join('')}\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

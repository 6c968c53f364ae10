import 'reflect-metadata';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster } from '../src/cluster';
import { readySandbox } from '../src/ready-sandbox';
import { Target } from './load';
import { BUY_BRLV, Partner } from './partner';

/** Warm-up requests, so that the measured request does no first-time work. */
const WARM_UP = 5;
/** Most of what a request causes has ended after this time. */
const QUIET_MS = 1_000;
/** How often a measured request is repeated. Background work comes at its own times, and misses some of the rounds. */
const ROUNDS = 12;

/** Counts the calls of our functions, which `probes.cjs` has made to report themselves. */
class RunningFiles {
  /** The file of each function, by its number. */
  private readonly fileOf = JSON.parse(readFileSync(`${__filename}.probes.json`, 'utf8')) as readonly string[];
  private readonly ran = new Set<number>();

  constructor() {
    Object.assign(globalThis, { ran: (id: number) => this.ran.add(id) });
  }

  /** The files of which the same function runs in every round of a request, sorted. */
  async ofEvery(request: () => Promise<unknown>): Promise<string[]> {
    let common: ReadonlySet<number> = new Set(this.fileOf.keys());
    for (let round = 0; round < ROUNDS; round += 1) {
      await pause(QUIET_MS);
      this.ran.clear();
      await request();
      common = new Set([...this.ran].filter((id) => common.has(id)));
    }
    return [...new Set([...common].map((id) => this.fileOf[id] ?? ''))].sort();
  }
}

/**
 * Lists our source files that one request runs in the embedded cluster: a quote until its response, and an order until
 * its first webhook arrives. The rule: a file is listed if one of its functions runs in that time in every round.
 *
 * - Nothing that a request calls is left out, not even what timers call as well, such as the clock.
 * - Timers and sweeps are not listed, because a round takes much less time than passes between two of their turns. Nor
 *   is work that a request does only now and then, such as looking up an API key again.
 * - What an order causes besides its webhook, such as its settlement and read models, counts as far as it always begins
 *   before the webhook arrives.
 * - Functions that run in other threads, such as the transactions of the store, are not seen. Neither are files that
 *   declare only types, constants or fields.
 */
async function main(): Promise<void> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'ponte-files-'));
  const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  process.env['MOVEMENTS_CHAINS'] = 'simulated';
  const cluster = await startCluster({
    environment: 'sandbox',
    dataDirectory,
    port: 0,
    logLevel: 'error',
    embeddedByName: true,
    failpoint: null,
  });
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
  print('POST /quotes, from the socket to the response', await files.ofEvery(quoted));

  const quotes = await Promise.all(Array.from({ length: ROUNDS + 1 }, quoted));
  const order = (): Promise<unknown> =>
    partner.ask(partner.post(`${account}/orders`, { 'quote-id': quotes.pop()?.id ?? '' }));
  await order();
  print(
    'POST /orders, from the socket to the first webhook',
    await files.ofEvery(async () => {
      const webhook = once(receiver, 'request');
      await order();
      await webhook;
    }),
  );

  await target.close();
  await cluster.stop();
  receiver.close();
  rmSync(dataDirectory, { recursive: true, force: true });
}

function print(title: string, files: readonly string[]): void {
  process.stdout.write(
    `${title}: ${files.length} files, each with a function that ran in all of ${ROUNDS} rounds\n${files.map((file) => `  ${file}\n`).join('')}\n`,
  );
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

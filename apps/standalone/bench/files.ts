import 'reflect-metadata';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import type { SourceMapPayload } from 'node:module';
import { SourceMap } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster } from '../src/cluster';
import { readySandbox } from '../src/ready-sandbox';
import { Target } from './load';
import { BUY_BRLV, Partner } from './partner';

/** Warm-up requests, so that the measured request does no first-time work. */
const WARM_UP = 5;
/** Background work caused by a request has ended after this time. */
const QUIET_MS = 3_000;
/** Every timer runs at least once in this time; the slowest one runs every minute. */
const IDLE_MS = 65_000;
/** How often a measured request is repeated. Files that run in only some of the rounds belong to other work. */
const ROUNDS = 3;
/** Matches our own source files: neither dependencies nor this script. */
const OURS = /(^|\/)((?:apps|libs)\/[^/]+\/src\/.+\.ts)$/;

/** Finds the source files whose functions run for a request, using V8's precise coverage. */
class RunningFiles {
  private readonly session = new Session();
  /** Start offsets of functions that run without any request, such as those of timers. */
  private readonly leftOut = new Set<number>();
  private readonly map = new SourceMap(JSON.parse(readFileSync(`${__filename}.map`, 'utf8')) as SourceMapPayload);
  private readonly lineStarts = lineStartsOf(readFileSync(__filename, 'utf8'));

  async begin(): Promise<void> {
    this.session.connect();
    await this.session.post('Profiler.enable');
    await this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** Excludes from now on every function that has run since the last call, during which no request was made. */
  async leaveOut(): Promise<void> {
    for (const one of await this.ran()) this.leftOut.add(startOf(one));
  }

  /** The files whose functions run in every round of a request, sorted. */
  async ofEvery(request: () => Promise<unknown>): Promise<string[]> {
    let common: Profiler.FunctionCoverage[] | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      await pause(QUIET_MS);
      await this.ran();
      await request();
      const ran = await this.ran();
      const starts = new Set(ran.map(startOf));
      common = common?.filter((one) => starts.has(startOf(one))) ?? ran;
    }
    const asked = (common ?? []).filter((one) => !this.leftOut.has(startOf(one)));
    return [...new Set(asked.flatMap((one) => this.fileOf(one) ?? []))].sort();
  }

  private async ran(): Promise<Profiler.FunctionCoverage[]> {
    const { result } = await this.session.post('Profiler.takePreciseCoverage');
    const own = result.filter(({ url }) => url.endsWith(__filename)).flatMap(({ functions }) => functions);
    return own.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
  }

  private fileOf(one: Profiler.FunctionCoverage): string | undefined {
    const offset = startOf(one);
    const line = this.lineStarts.findLastIndex((start) => start <= offset);
    const entry = this.map.findEntry(line, offset - (this.lineStarts[line] ?? 0));
    return 'originalSource' in entry ? OURS.exec(normalize(entry.originalSource))?.[2] : undefined;
  }
}

const startOf = ({ ranges }: Profiler.FunctionCoverage): number => ranges[0]?.startOffset ?? 0;

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Lists our source files whose functions run for one request in the embedded cluster: a quote until its response, and
 * an order until its first webhook is delivered. A file is listed if one of its functions runs in every round. The
 * figures are estimates: functions that also run while idle are left out although a request may call them, background
 * work for an order before its webhook counts as the order's, and work in threads (the store's writes) is not seen.
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
  await files.begin();
  await pause(IDLE_MS);
  await files.leaveOut();

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
  process.stdout.write(`${title}: ${files.length} files\n${files.map((file) => `  ${file}\n`).join('')}\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);

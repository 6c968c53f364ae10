import 'reflect-metadata';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Pool } from 'undici';
import { startGateway } from '../src/testing/gateway-under-test';
import { CHILD } from '../src/testing/accounts';
import { KEY } from '../src/testing/api-keys';
import { startBare } from './bare-server';

/**
 * CPU of one quote over HTTP: the whole edge (credentials, reach, rate, shape, services answering at once) beside a
 * bare route.
 */
const CONNECTIONS = 64;
const WARM_UP = 6_000;
const REQUESTS = 20_000;
const ROUNDS = 5;

interface Measured {
  readonly cpuMicros: number;
  readonly perSecond: number;
}

async function serve(kind: string): Promise<void> {
  const port = kind === 'bare' ? await startBare() : await startLean();
  process.once('disconnect', () => process.exit(0));
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
  process.send?.({ port });
}

async function startLean(): Promise<number> {
  const gateway = await startGateway();
  gateway.bus.careful = false;
  return gateway.port;
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }];
  return cpu.user + cpu.system;
}

async function round(child: ChildProcess, pool: Pool, requests: number): Promise<Measured> {
  const before = await cpuOf(child);
  const began = process.hrtime.bigint();
  let left = requests;
  const body = JSON.stringify({
    'source-asset': 'fiat/brl',
    'target-asset': 'eth-base/brlv',
    'source-amount': '100.00',
  });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY.partner}` };
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) {
        const answer = await pool.request({ method: 'POST', path: `/api/v1/accounts/${CHILD}/quotes`, headers, body });
        if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}: ${await answer.body.text()}`);
        await answer.body.dump();
      }
    }),
  );
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  return { cpuMicros: ((await cpuOf(child)) - before) / requests, perSecond: requests / seconds };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function compare(): Promise<void> {
  const servers = await Promise.all(
    ['bare', 'gateway'].map(async (kind) => {
      const child = fork(__filename, [kind]);
      const [{ port }] = (await once(child, 'message')) as [{ port: number }];
      return {
        kind,
        child,
        pool: new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS }),
        rounds: [] as Measured[],
      };
    }),
  );
  for (const { child, pool } of servers) await round(child, pool, WARM_UP);
  for (let i = 0; i < ROUNDS; i += 1)
    for (const one of servers) one.rounds.push(await round(one.child, one.pool, REQUESTS));
  const [bare, gateway] = servers.map(({ kind, rounds }) => ({
    kind,
    cpuMicros: median(rounds.map((one) => one.cpuMicros)),
    perSecond: median(rounds.map((one) => one.perSecond)),
  }));
  process.stdout.write(
    `${JSON.stringify({ bare, gateway, ratio: (gateway?.cpuMicros ?? 0) / (bare?.cpuMicros ?? 1) }, null, 2)}\n`,
  );
  for (const { child, pool } of servers) {
    await pool.close();
    child.disconnect();
  }
}

const kind = process.argv[2];
void (kind ? serve(kind) : compare());

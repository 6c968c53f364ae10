import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { benchAccounts } from './accounts/accounts';
import { benchAppends } from './appends';
import { benchDeposits } from './deposits';
import { benchFootprint } from './footprint';
import { benchMovements } from './movements';
import { benchOrders } from './orders';
import { benchPostgres } from './postgres';
import { benchQuotes } from './quotes';
import type { Row } from './report';
import { print, store } from './report';
import { benchRest } from './rest';
import { benchTracing } from './tracing';
import { benchWebhooks } from './webhooks';

const script = (name: string): string => resolve(__dirname, `${name}.js`);
const cluster = script('cluster-child');

const PARTS: Readonly<Record<string, () => Promise<Row[]>>> = {
  appends: benchAppends,
  accounts: () => benchAccounts(script('account-child')),
  quotes: () => benchQuotes({ cluster, bare: script('bare-child') }),
  orders: async () => benchOrders(cluster, await benchPostgres()),
  movements: () => benchMovements(cluster),
  deposits: () => benchDeposits(cluster),
  tracing: () => benchTracing(cluster),
  webhooks: () => benchWebhooks(cluster),
  footprint: () => benchFootprint(cluster),
  rest: () => benchRest(cluster),
};

/** `npm run bench` runs every part; `npm run bench -- quotes orders` runs only the named parts. */
async function main(): Promise<void> {
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
  const rows: Row[] = [];
  for (const name of wanted) {
    const part = PARTS[name];
    if (!part)
      throw new Error(`no part of the benchmark is called ${name}; there are ${Object.keys(PARTS).join(', ')}`);
    process.stderr.write(`measuring ${name} …\n`);
    // Flushes the writes of the previous part, so that the commits of this part do not wait for them. Where `sync` does
    // not exist, the figures are only less stable.
    spawnSync('sync');
    rows.push(...(await part()));
  }
  print(rows);
  process.stdout.write(`\n${store(rows, resolve('bench-results'))}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

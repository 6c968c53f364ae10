import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { openSqliteEventStore, openSqliteReadModels, sqliteShadowReadModels } from '@ponte/eventstore-sqlite';
import { rebuildReadModels } from '@ponte/read-models';
import { temporaryFolder } from '@ponte/testing';
import { ALL_READ_MODELS } from '../../src/cluster.read-models';
import type { Row } from '../report';
import { print, store } from '../report';
import { writeHistory } from './history';
import { bare, filled } from './reference';

const TARGET_SECONDS = 60;
const TARGET_EVENTS = 1_000_000;

/** Runs `npm run bench:rebuild`; `-- --events 100000` uses fewer events. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { events: { type: 'string', default: String(TARGET_EVENTS) } } });
  const count = Number(values.events);
  if (!Number.isSafeInteger(count) || count < 1_000) throw new Error('--events is a whole number, at least 1000');
  const folder = temporaryFolder();
  try {
    const rows = await measure(folder.path, count);
    print(rows);
    process.stdout.write(`\n${store(rows, resolve('bench-results'))}\n`);
  } finally {
    folder.remove();
  }
}

async function measure(folder: string, count: number): Promise<Row[]> {
  const [log, file] = [join(folder, 'events.db'), join(folder, 'read-models.db')];
  const events = openSqliteEventStore({ file: log, durability: 'off' });
  process.stderr.write(`recording the demo and writing ${count.toLocaleString('en-US')} events …\n`);
  const categories = await writeHistory(events, count, join(folder, 'demo'));
  for (const [category, of] of [...categories].sort(([, a], [, b]) => b - a))
    process.stdout.write(`${category.padEnd(18)} ${of.toLocaleString('en-US').padStart(9)} events\n`);
  const readModels = openSqliteReadModels<unknown>(file);
  process.stderr.write('rebuilding all read models …\n');
  const [began, used] = [performance.now(), process.cpuUsage()];
  const { events: read } = await rebuildReadModels({
    store: events,
    readModels,
    shadow: sqliteShadowReadModels(readModels, join(folder, 'rebuild.db')),
    rebuild: ALL_READ_MODELS,
  });
  const [seconds, cpu] = [(performance.now() - began) / 1_000, cpuSeconds(used)];
  await readModels.destroy();
  await events.close();
  const tables = filled(
    file,
    ALL_READ_MODELS.flatMap((readModel) => readModel.tables),
  );
  process.stdout.write('\n');
  for (const { table, rows } of tables)
    process.stdout.write(`${table.padEnd(30)} ${rows.length.toLocaleString('en-US').padStart(9)} rows\n`);
  process.stdout.write('\n');
  process.stderr.write('measuring the reference …\n');
  const beforeBare = process.cpuUsage();
  const reference = bare(
    log,
    join(folder, 'bare.db'),
    new Set(ALL_READ_MODELS.flatMap((readModel) => readModel.categories)),
    tables,
  );
  const referenceCpu = cpuSeconds(beforeBare);
  const referenceName = 'bare reads and inserts';
  return [
    {
      name: `seconds for all read models from ${count.toLocaleString('en-US')} events`,
      value: seconds,
      reference,
      referenceName,
      ...(count >= TARGET_EVENTS ? { target: `at most ${TARGET_SECONDS} s`, met: seconds <= TARGET_SECONDS } : {}),
    },
    // CPU time is not affected by other work of the machine.
    { name: 'CPU seconds of it', value: cpu, reference: referenceCpu, referenceName },
    { name: 'events read/s', value: count / seconds, reference: count / reference, referenceName },
    { name: 'events of read models/s', value: read / seconds },
    { name: 'rows/s', value: tables.reduce((sum, { rows }) => sum + rows.length, 0) / seconds },
  ];
}

/** The CPU seconds of this process since the given usage. */
function cpuSeconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000_000;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

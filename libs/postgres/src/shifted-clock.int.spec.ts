import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Child } from '@ponte/testing';
import { describeOnRealEngine, eventually, startChild, temporaryFolder } from '@ponte/testing';
import { openPostgresState } from './state/state';
import { cleanUp, connect, kept, postgresUnderTest, schemaOf, server, TIMES } from './postgres-under-test.testing';

const TEN_MINUTES_MS = 600_000;

/** Shifts the system clock of a process, before any of its code runs. */
const SHIFT = `
  const System = Date;
  const shifted = () => System.now() + Number(process.env.CLOCK_SHIFT_MS);
  globalThis.Date = class extends System {
    constructor(...values) {
      super(...(values.length === 0 ? [shifted()] : values));
    }
    static now() {
      return shifted();
    }
  };
`;

/** Holds a lease. Prints how far its clock is ahead of the database's, then each second whether it may still write. */
const HOLDER = `
  import { openPostgresState, Postgres } from './index';
  const [url, schema, job, times] = process.argv.slice(2);
  const logger = { warn: () => undefined, error: () => undefined };
  void (async () => {
    const postgres = await Postgres.open({ url, schema, logger });
    const state = await openPostgresState(postgres, JSON.parse(times));
    const [{ now }] = await postgres.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now');
    console.log(Date.now() - now);
    const grant = await state.lease.acquire(job, new AbortController().signal);
    for (let at = 0; ; at += 1) {
      console.log(String((await state.checkpoints.save(job, String(at), grant.fence)) && !grant.lost.aborted));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  })();
`;

describeOnRealEngine('PostgreSQL, with processes whose clocks differ', () => {
  postgresUnderTest('PostgreSQL shifted clocks');
  const folder = temporaryFolder();
  const children: Child[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill('SIGKILL');
      await child.ended;
    }
    await cleanUp();
  });
  afterAll(() => folder.remove());

  test.each([TEN_MINUTES_MS, -TEN_MINUTES_MS])(
    'a lease is kept and not taken by time: a holder whose clock is off by %i ms keeps it while it renews, and is replaced when it dies',
    async (shiftMs) => {
      const shift = join(folder.path, 'shift.cjs');
      writeFileSync(shift, SHIFT);
      const schema = schemaOf();
      const child = startChild(HOLDER, __dirname, [server.url, schema, 'job', JSON.stringify(TIMES)], {
        NODE_OPTIONS: `--require ${shift}`,
        CLOCK_SHIFT_MS: String(shiftMs),
      });
      children.push(child);
      const lines = child.lines[Symbol.asyncIterator]();
      const off = Number((await lines.next()).value);
      expect(Math.abs(off - shiftMs)).toBeLessThan(60_000);
      expect((await lines.next()).value).toBe('true');
      const state = kept(await openPostgresState(await connect(schema), TIMES));
      expect(await state.lease.acquire('job', AbortSignal.timeout(2 * TIMES.ttlMs))).toBeUndefined();
      for (let seconds = 0; seconds < 3; seconds += 1) expect((await lines.next()).value).toBe('true');
      child.kill('SIGKILL');
      const grant = await eventually(() => state.lease.acquire('job', AbortSignal.timeout(3 * TIMES.ttlMs)));
      expect(await state.checkpoints.save('job', 'next', grant?.fence)).toBe(true);
    },
  );
});

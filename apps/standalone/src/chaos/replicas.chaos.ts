import { SERVICES } from '@ponte/contracts';
import type { Running } from '../e2e/testing/program';
import { Program } from '../e2e/testing/program';
import { until } from '../e2e/testing/waiting';
import { runChaos } from './testing/chaos';
import { tableOf } from './testing/report';
import { readSettings } from './testing/settings';
import type { HeldLease } from './testing/sharing';
import { leasesOf, sharesOf } from './testing/sharing';

const settings = {
  ...readSettings({ CHAOS_RATE: '5', CHAOS_MAX_REQUESTS: '50', CHAOS_ACCOUNTS: '3', ...process.env }),
  replicas: 2,
};

jest.setTimeout(1_800_000);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
/** One replica of each service, then the other, so that each holder of a lease is killed once. */
const VICTIMS = [1, 2].flatMap((replica) => SERVICES.map((service) => `${service}-${replica}`));

/**
 * The time limit for moving partitions and leases. After a kill a consumer group may have only one member for a while,
 * and a lease that no order needs may have no holder.
 */
const MOVED_MS = 120_000;
const POLL_MS = 500;

type Leases = ReadonlyMap<string, readonly HeldLease[]>;

let program: Program;
beforeAll(async () => {
  program = await Program.build();
});
afterAll(() => program.close());

describe('a cluster with two replicas of every service', () => {
  it('shares partitions, moves the leases of a killed replica, ends all orders and repeats none', async () => {
    let before: Leases | undefined;
    const report = await runChaos(program, settings, {
      say,
      victims: VICTIMS,
      look: async (running) => {
        await until(() => expectShared(running), MOVED_MS, POLL_MS);
        const first = before;
        if (first) await until(async () => expectMoved(first, await leasesNow(running)), MOVED_MS, POLL_MS);
        else before = await leasesNow(running);
      },
    });
    say(`\n${tableOf(report)}`);
    expect(report.faults).toEqual([]);
  });

  async function leasesNow(running: Running): Promise<Leases> {
    return new Map(
      await Promise.all(SERVICES.map(async (service) => [service, await leasesOf(running, service)] as const)),
    );
  }

  async function expectShared(running: Running): Promise<void> {
    const groups = [
      ...(await sharesOf(
        running,
        SERVICES.filter((service) => service !== 'gateway').flatMap((service) => [
          `ponte.${service}.commands`,
          `ponte.${service}`,
        ]),
      )),
    ];
    // Some services consume no events.
    for (const [group, shares] of groups.filter(([name, members]) => name.endsWith('.commands') || members.size > 0)) {
      const all = [...shares.values()].flat();
      expect([group, shares.size]).toEqual([group, 2]);
      expect([group, Math.min(...[...shares.values()].map((share) => share.length)) > 0]).toEqual([group, true]);
      expect([group, new Set(all).size]).toEqual([group, all.length]);
    }
  }

  function expectMoved(before: Leases, after: Leases): void {
    let compared = 0;
    for (const [service, leases] of before) {
      const now = new Map(after.get(service)?.map(({ name, fence }) => [name, fence]));
      // Some leases are taken for a single task and released after it, so they are held only at times.
      for (const { name, fence } of leases.filter((lease) => now.has(lease.name))) {
        compared += 1;
        expect([service, name, (now.get(name) ?? 0) > fence]).toEqual([service, name, true]);
      }
    }
    expect(compared).toBeGreaterThan(0);
  }
});

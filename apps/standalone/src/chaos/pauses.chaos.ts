import { SERVICES } from '@ponte/contracts';
import { Program } from '../e2e/testing/program';
import { runChaos } from './testing/chaos';
import { Pauses } from './testing/pauses';
import { tableOf } from './testing/report';
import { readSettings } from './testing/settings';

const settings = {
  ...readSettings({ CHAOS_RATE: '5', CHAOS_MAX_REQUESTS: '50', CHAOS_ACCOUNTS: '3', ...process.env }),
  replicas: 2,
};
/** The services whose processes hold leases. */
const HOLDERS = SERVICES.filter((service) => service !== 'gateway');
/** One replica of each service, then the other, so that each holder of a lease is paused once. */
const VICTIMS = [1, 2].flatMap((replica) => SERVICES.map((service) => `${service}-${replica}`));

jest.setTimeout(1_800_000);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

let program: Program;
beforeAll(async () => {
  program = await Program.build();
});
afterAll(() => program.close());

describe('a cluster with two replicas of every service', () => {
  it('loses and repeats nothing when a process is paused, loses its leases to its twin, and continues', async () => {
    const pauses = new Pauses();
    const report = await runChaos(program, settings, { say, victims: VICTIMS, disturbance: pauses });
    say(`\n${tableOf(report)}`);
    say([...pauses.moved].map(([service, names]) => `${service}: ${[...names].join(', ')}`).join('\n'));
    expect(report.faults).toEqual([]);
    expect(report.overtaken).toEqual([]);
    for (const service of HOLDERS) expect([service, pauses.moved.get(service)?.size ?? 0]).not.toEqual([service, 0]);
  });
});

import { Program } from '../e2e/testing/program';
import { runChaos } from './testing/chaos';
import { FullDisks } from './testing/full-disks';
import { tableOf } from './testing/report';
import { readSettings } from './testing/settings';

const settings = readSettings({ CHAOS_RATE: '2', CHAOS_MAX_REQUESTS: '12', CHAOS_ACCOUNTS: '3', ...process.env });
const ENGINES = ['postgres', 'kafka'];

jest.setTimeout(1_800_000);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const disks = new FullDisks();
let program: Program;
beforeAll(async () => {
  program = await Program.build();
});
afterAll(async () => {
  await program.close();
  disks.remove();
});

describe('a cluster whose engines have small disks', () => {
  it('loses and repeats nothing when a disk is full for a while, and recovers by itself', async () => {
    const report = await runChaos(program, settings, {
      say,
      victims: ENGINES,
      disturbance: disks,
      prepare: (dataDirectory) => {
        if (!disks.mount(dataDirectory, ENGINES)) throw new Error('mounting a disk is not permitted');
      },
    });
    say(`\n${tableOf(report)}`);
    expect(report.faults).toEqual([]);
  });
});

import { Program } from '../e2e/testing/program';
import { runChaos } from './testing/chaos';
import { kept, tableOf } from './testing/report';
import { readSettings } from './testing/settings';

const settings = readSettings(process.env);
/** Time limits: for a kill with its recovery and pause, and for the start and the end of the run. */
const PER_KILL_MS = 190_000;
const AROUND_MS = 900_000;

jest.setTimeout(AROUND_MS + PER_KILL_MS * settings.kills * settings.targets.length + settings.seconds * 1_000);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

let program: Program;
beforeAll(async () => {
  program = await Program.build();
});
afterAll(() => program.close());

const what =
  settings.kills === 0 ? 'no kills' : `kill -9 of ${settings.targets.join(', ')}, ${settings.kills} times each`;

describe(`${what}, under ${settings.rate} orders/s`, () => {
  it('loses and repeats no acknowledged order, ends them all, keeps the books at zero and delivers webhooks', async () => {
    say(`CHAOS_SEED=${settings.seed} repeats the order of the kills`);
    const report = await runChaos(program, settings, { say });
    say(`\n${tableOf(report)}\n${kept(report)}`);
    expect(report.faults).toEqual([]);
    expect(report.orders).toBeGreaterThan(0);
  });
});

import { Program } from '../e2e/testing/program';
import { runChaos } from './chaos';
import { kept, tableOf } from './report';
import { readSettings } from './settings';

const settings = readSettings(process.env);
/** What a kill, its recovery and the pause before it may take, and the start and the end of it all. */
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
  it('no acknowledged order is lost, none is carried out twice, all end, the books sum to zero, webhooks come', async () => {
    say(`CHAOS_SEED=${settings.seed} repeats the order of the kills`);
    const report = await runChaos(program, settings, { say });
    say(`\n${tableOf(report)}\n${kept(report)}`);
    expect(report.faults).toEqual([]);
    expect(report.orders).toBeGreaterThan(0);
  });
});

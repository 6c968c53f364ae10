import { setTimeout as wait } from 'node:timers/promises';
import { CLUSTERED, Program, SIMULATED, SUITE_MS } from './testing/program';

jest.setTimeout(SUITE_MS);

/** Components that start late, such as leases and group members, have started by then. */
const WATCHED_MS = 30_000;
/** Log levels of pino. */
const WARN = 40;
const ERROR = 50;
/** A frame of a stack trace, printed or inside a log line. */
const STACK = /(^|\n|\\n)\s+at .+[:(].*\d+\)?/;
/** Levels written as words by a broker's Java or by libraries. */
const ERROR_WORD = /\b(ERROR|FATAL|UnhandledPromiseRejection|DeprecationWarning)\b/;

let program: Program;
beforeAll(async () => {
  program = await Program.build();
});
afterAll(() => program.close());

interface Line {
  readonly level?: number | string;
}

function levelOf(line: string): number {
  try {
    const { level } = JSON.parse(line) as Line;
    return typeof level === 'number'
      ? level
      : level === 'error' || level === 'fatal'
        ? ERROR
        : level === 'warn'
          ? WARN
          : 0;
  } catch {
    return ERROR_WORD.test(line) ? ERROR : 0;
  }
}

describe('a clean start', () => {
  it('logs no stack trace and no error, from its first line until 30 s after it is ready', async () => {
    const running = await program.start(program.dataFolder(), { ...SIMULATED, PONTE_LOG_LEVEL: 'info' });
    await wait(WATCHED_MS);
    const lines = `${running.printed}\n${running.log}`.split('\n');
    process.stdout.write(`${lines.length} lines, ${lines.filter((line) => levelOf(line) === WARN).length} warnings\n`);
    // Every process logs at the requested level.
    expect(lines.length).toBeGreaterThan(CLUSTERED ? 20 : 5);
    expect(lines.filter((line) => STACK.test(line))).toEqual([]);
    expect(lines.filter((line) => levelOf(line) >= ERROR)).toEqual([]);
    await running.stop();
    const all = `${running.printed}\n${running.log}`.split('\n');
    expect(all.filter((line) => STACK.test(line) || levelOf(line) >= ERROR)).toEqual([]);
  });
});

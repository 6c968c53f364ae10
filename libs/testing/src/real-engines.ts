/**
 * True when suites shall run on the real engines too, as `npm run test:engines` asks. Without it a test run needs Node
 * alone.
 */
export const realEnginesWanted = (): boolean => process.env['PONTE_TEST_ENGINES'] === 'real';

/** A suite on a real engine: run when it is asked for, else skipped with a line that says how to ask. */
export function describeOnRealEngine(engine: string, suite: () => void): void {
  if (realEnginesWanted()) describe(engine, suite);
  else describe.skip(`${engine} (PONTE_TEST_ENGINES=real runs it)`, suite);
}

/** Which engine, of which version, a suite ran on: one line of its output. */
export function sayEngine(suite: string, engine: string): void {
  process.stderr.write(`${suite}: ran on ${engine}\n`);
}

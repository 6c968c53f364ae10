/** True when suites also run on real engines (`npm run test:engines`). Otherwise a test run only needs Node. */
export const realEnginesWanted = (): boolean => process.env['PONTE_TEST_ENGINES'] === 'real';

/** Runs a suite on a real engine if requested, and otherwise skips it with a hint how to run it. */
export function describeOnRealEngine(engine: string, suite: () => void): void {
  if (realEnginesWanted()) describe(engine, suite);
  else describe.skip(`${engine} (run it with PONTE_TEST_ENGINES=real)`, suite);
}

/** Prints which engine a suite ran on, with its version. */
export function sayEngine(suite: string, engine: string): void {
  process.stderr.write(`${suite}: ran on ${engine}\n`);
}

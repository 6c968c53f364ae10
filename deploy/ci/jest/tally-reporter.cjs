const { appendFileSync } = require('node:fs');

/** A Jest reporter that ends a run with one machine-readable line. */
module.exports = class TallyReporter {
  onRunComplete(_contexts, results) {
    this.empty = results.numTotalTests === 0;
    // A suite that could not be loaded has no tests to count but is still a failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    // Several runs are added up by total.cjs.
    if (process.env.PONTE_TALLY) appendFileSync(process.env.PONTE_TALLY, `${results.numPassedTests} ${failed}\n`);
    setImmediate(() => process.stdout.write(`${results.numPassedTests} passed, ${failed} failed\n`));
  }

  getLastError() {
    return this.empty ? new Error('no test was run') : undefined;
  }
};

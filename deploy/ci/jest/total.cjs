// node deploy/ci/jest/total.cjs <file>: adds up the results that each test run has appended to the file, one line of
// `passed failed` each. Fails if there are failures or no test was run.
const { readFileSync } = require('node:fs');

const runs = readFileSync(process.argv[2], 'utf8')
  .trim()
  .split('\n')
  .filter(Boolean)
  .map((line) => line.split(' ').map(Number));
const [passed, failed] = runs.reduce(([p, f], [passing, failing]) => [p + passing, f + failing], [0, 0]);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

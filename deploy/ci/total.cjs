// node deploy/ci/total.cjs <file>: adds up what each run has written there, one line of `passed failed` each. Fails
// when nothing ran.
const { readFileSync } = require('node:fs');

const runs = readFileSync(process.argv[2], 'utf8')
  .trim()
  .split('\n')
  .filter(Boolean)
  .map((line) => line.split(' ').map(Number));
const [passed, failed] = runs.reduce(([p, f], [passing, failing]) => [p + passing, f + failing], [0, 0]);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

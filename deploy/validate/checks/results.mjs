// The results of all checks.
import { appendFileSync } from 'node:fs';

let passed = 0;
const failed = [];

/** One check. It passes without faults. */
export function check(name, faults) {
  if (faults.length === 0) passed += 1;
  else failed.push(`${name}:\n${faults.map((fault) => `    ${fault}`).join('\n')}`);
}

/** A planted mistake that is not found is a fault. */
export const seen = (name, isSeen) => check(`planted: ${name}`, isSeen ? [] : ['was not found']);

/** The rules for which no mistake is planted. */
export const uncovered = (rules, planted) =>
  Object.keys(rules)
    .filter((rule) => !planted.some(([one]) => one === rule))
    .map((rule) => `no mistake is planted for "${rule}"`);

/** Prints the failures and, on the last line, `N passed, N failed`. A failure makes the exit code 1. */
export function report() {
  for (const failure of failed) process.stdout.write(`FAILED ${failure}\n`);
  process.stdout.write(`${passed} passed, ${failed.length} failed\n`);
  // CI sums these counts over all of its runs.
  if (process.env.PONTE_TALLY) appendFileSync(process.env.PONTE_TALLY, `${passed} ${failed.length}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

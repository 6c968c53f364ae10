// node deploy/mutation/run.mjs <module> [minutes]: plants bugs in a money module, one at a time, and prints those that
// its unit tests do not notice. Ends after the given minutes (20 by default). Writes tmp/mutation/<module>.json.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { MODULES } from './modules.mjs';

const [name, minutes = '20'] = process.argv.slice(2);
const chosen = Object.hasOwn(MODULES, name ?? '') ? MODULES[name] : undefined;
if (chosen === undefined) {
  process.stdout.write(`Name one of the modules: ${Object.keys(MODULES).join(', ')}\n`);
  process.exit(1);
}

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const root = resolve(import.meta.dirname, '../..');
const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const { status, signal } = spawnSync(process.execPath, [stryker, 'run', 'deploy/mutation/stryker.config.mjs'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  timeout: Number(minutes) * 60_000,
  env: {
    ...process.env,
    MUTATION_MODULE: name,
    MUTATION_FILES: JSON.stringify([...chosen.mutate, '!**/*.{spec,testing}.ts']),
    MUTATION_TESTS: JSON.stringify(chosen.tests),
  },
});
// Stryker keeps its copy of the repository if it is ended.
rmSync(join(root, `tmp/mutation/${name}.copy`), { recursive: true, force: true });
if (status === 0) process.stdout.write(`The report is tmp/mutation/${name}.json.\n`);
else process.stdout.write(`Ended before the last mutant (${signal ?? `status ${status}`}).\n`);
process.exitCode = status ?? 1;

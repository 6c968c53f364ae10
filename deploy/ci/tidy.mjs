#!/usr/bin/env node
/**
 * Style checks that ESLint does not make, on every tracked text file: `node deploy/ci/tidy.mjs [--update]`.
 * `tidy.baseline.json` lists, per file and rule, how many findings from before the rule existed are tolerated. The
 * counts may only fall; `--update` writes the smaller counts.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import cycles from './tidy/import-cycles.cjs';
import rules from './tidy/rules.cjs';

const root = path.resolve(import.meta.dirname, '../..');
const baselineFile = path.join(root, 'deploy/ci/tidy.baseline.json');
const TEXT = /\.(ts|js|mjs|cjs|md|sh|yaml|yml|css|html|sql)$|^\.ci\/run$/;
/** Generated files, and quoted texts that must not be changed. */
const GENERATED =
  /^(docs\/asyncapi\.json|docs\/configuration\.md|deploy\/rendered\/|deploy\/ci\/tidy\/)|contracts\/artifacts\/|\/generated\//;

const present = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));
const tracked = present.filter((file) => TEXT.test(file) && !GENERATED.test(file));

/** @type {Map<string, string[]>} */
const sources = new Map();
for (const file of tracked.filter((name) => /\.(ts|js)$/.test(name)).sort()) {
  const folder = path.dirname(file);
  sources.set(folder, [...(sources.get(folder) ?? []), file]);
}

const names = new Set(present.map((file) => path.basename(file)));

// Generated code counts too, because files that are written by hand may import it.
const code = new Map(
  present.filter((file) => file.endsWith('.ts')).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
);
const circular = cycles.cyclesIn(code).map((files) => ({
  file: files[0],
  line: 1,
  rule: 'import-cycles',
  message: `these files import each other: ${files.join(', ')}`,
}));

const findings = tracked
  .flatMap((file) =>
    rules.findingsIn(file, readFileSync(path.join(root, file), 'utf8'), {
      exists: (target) => existsSync(path.join(root, target)),
      filesIn: (folder) => sources.get(folder) ?? [],
      linesOf: (target) =>
        existsSync(path.join(root, target)) ? readFileSync(path.join(root, target), 'utf8').split('\n') : undefined,
      hasFile: (name) => names.has(path.basename(name)) && present.some((one) => `/${one}`.endsWith(`/${name}`)),
    }),
  )
  .concat(circular);

/** @returns {Record<string, Record<string, number>>} findings per file and rule */
function countsOf(list) {
  const counts = {};
  for (const { file, rule } of list) {
    counts[file] ??= {};
    counts[file][rule] = (counts[file][rule] ?? 0) + 1;
  }
  return counts;
}

const counts = countsOf(findings);
const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
if (process.argv.includes('--update')) {
  const lines = Object.entries(sorted(counts)).map(
    ([file, rules]) => `  ${JSON.stringify(file)}: ${JSON.stringify(sorted(rules))}`,
  );
  writeFileSync(baselineFile, lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`);
  process.stdout.write(
    `tidy: ${findings.length} findings in ${Object.keys(counts).length} files are in the baseline\n`,
  );
} else {
  const baseline = existsSync(baselineFile) ? JSON.parse(readFileSync(baselineFile, 'utf8')) : {};
  const fresh = findings.filter(({ file, rule }) => (counts[file]?.[rule] ?? 0) > (baseline[file]?.[rule] ?? 0));
  for (const { file, line, rule, message } of fresh) process.stdout.write(`${file}:${line}  ${message}  (${rule})\n`);
  const tolerated = findings.length - fresh.length;
  if (tolerated > 0) process.stdout.write(`tidy: ${tolerated} older findings are tolerated by tidy.baseline.json\n`);
  process.exitCode = fresh.length > 0 ? 1 : 0;
}

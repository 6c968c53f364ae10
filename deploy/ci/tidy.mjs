#!/usr/bin/env node
/** Style checks that ESLint does not make, on every tracked text file: `node deploy/ci/tidy.mjs`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import cycles from './tidy/import-cycles.cjs';
import folders from './tidy/folders.cjs';
import rules from './tidy/rules.cjs';

const root = path.resolve(import.meta.dirname, '../..');
const TEXT = /\.(ts|js|mjs|cjs|md|sh|yaml|yml|css|html|sql)$|^\.ci\/run$/;
/** Generated files, and quoted texts that must not be changed. */
const GENERATED =
  /^(docs\/asyncapi\.json|docs\/configuration\.md|deploy\/rendered\/|deploy\/ci\/tidy\/)|contracts\/artifacts\/|\/generated\//;

const present = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));
const tracked = present.filter((file) => TEXT.test(file) && !GENERATED.test(file));

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
      linesOf: (target) =>
        existsSync(path.join(root, target)) ? readFileSync(path.join(root, target), 'utf8').split('\n') : undefined,
      hasFile: (name) => names.has(path.basename(name)) && present.some((one) => `/${one}`.endsWith(`/${name}`)),
    }),
  )
  .concat(circular, folders.largeFoldersIn(present));

for (const { file, line, rule, message } of findings) process.stdout.write(`${file}:${line}  ${message}  (${rule})\n`);
process.exitCode = findings.length > 0 ? 1 : 0;

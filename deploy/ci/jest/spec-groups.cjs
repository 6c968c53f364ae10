const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join, relative, resolve } = require('node:path');
const { parseArgs } = require('node:util');

const ROOT = resolve(__dirname, '../../..');
const SEARCHED = ['apps', 'libs', 'deploy/ci'];
const FOLDER = 'dist/spec-groups';
/**
 * The options of Jest whose values could be taken for names of suites. An option that is missing here costs only time.
 */
const WITH_VALUE = {
  ...{ config: { type: 'string', short: 'c' }, maxWorkers: { type: 'string', short: 'w' } },
  ...{ testNamePattern: { type: 'string', short: 't' }, testTimeout: { type: 'string' } },
  ...{ outputFile: { type: 'string' }, reporters: { type: 'string', multiple: true } },
};

/** The suites below a folder whose paths match, in the order of their paths. */
function suitesBelow(folder, isMember) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : suitesBelow(path, isMember);
      return isMember(path) ? [path] : [];
    });
}

const namesSuites = (args) =>
  parseArgs({ args, options: WITH_VALUE, strict: false, allowPositionals: true }).positionals.length > 0;

/** The content of each group, by the name of its file. */
function groupsOf(suites, size, folder) {
  const groups = new Map();
  for (let first = 0; first < suites.length; first += size) {
    const calls = suites
      .slice(first, first + size)
      .map((path) => `describe('${path}', () => void require('${relative(folder, join(ROOT, path))}'));`);
    groups.set(`${String(first / size).padStart(3, '0')}.spec.ts`, `${calls.join('\n')}\n`);
  }
  return groups;
}

/** Leaves files that are right alone, because another run may be using them. */
function write(groups, folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!groups.has(name)) rmSync(join(folder, name), { force: true });
  for (const [name, content] of groups) {
    const file = join(folder, name);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeFileSync(file, content);
  }
}

/**
 * The part of a Jest configuration that runs the suites which match in groups: one file with many suites, each in a
 * `describe` that is named after its path. Half of the CPU time of a suite is loading its modules, which a group does
 * once. Empty for a run that names suites: these run alone, so that the names match their paths.
 */
function inGroups(name, { size, isMember, argv = process.argv.slice(2) }) {
  if (namesSuites(argv)) return {};
  const folder = join(ROOT, FOLDER, name);
  write(
    groupsOf(
      SEARCHED.flatMap((searched) => suitesBelow(searched, isMember)),
      size,
      folder,
    ),
    folder,
  );
  return { roots: [`<rootDir>/${FOLDER}/${name}`], testMatch: [`<rootDir>/${FOLDER}/${name}/*.spec.ts`] };
}

module.exports = { inGroups };

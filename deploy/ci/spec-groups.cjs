const { mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { join, relative, resolve } = require('node:path');

const ROOT = resolve(__dirname, '../..');
const SEARCHED = ['apps', 'libs', 'deploy/ci'];
const FOLDER = 'dist/spec-groups';

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

const isPath = (argument) => /^(\.\/)?(apps|libs)\b|\.spec\b/.test(argument);

/**
 * The part of a Jest configuration that runs the suites which match in groups: one file with many suites, each in a
 * `describe` that is named after its path. Half of the CPU time of a suite is loading its modules, which a group does
 * once. A run that names paths runs these suites alone.
 */
function inGroups(name, { size, isMember, argv = process.argv.slice(2) }) {
  if (argv.some(isPath)) return {};
  const folder = join(ROOT, FOLDER, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const suites = SEARCHED.flatMap((searched) => suitesBelow(searched, isMember));
  for (let first = 0; first < suites.length; first += size) {
    const calls = suites
      .slice(first, first + size)
      .map((path) => `describe('${path}', () => void require('${relative(folder, join(ROOT, path))}'));`);
    writeFileSync(join(folder, `${String(first / size).padStart(3, '0')}.spec.ts`), `${calls.join('\n')}\n`);
  }
  return { roots: [`<rootDir>/${FOLDER}/${name}`], testMatch: [`<rootDir>/${FOLDER}/${name}/*.spec.ts`] };
}

module.exports = { inGroups };

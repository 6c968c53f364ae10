/** The rules of `deploy/ci/tidy.mjs` for files of tests and for what they share. */

const found = (lines, pattern, message) =>
  lines.flatMap((text, index) => (pattern.test(text) ? [{ line: index + 1, message }] : []));

const letTest = (file, lines) =>
  file.endsWith('.spec.ts') ? found(lines, /^\s*let test\b/, 'name the fixture for what it is, not "test"') : [];

/**
 * The tests of an imported suite would also run for the file that imports it. Hooks that a shared file registers when
 * it is imported apply only to the first suite of a group (`deploy/ci/jest/spec-groups.cjs`).
 */
const testsAtImport = (file, lines) => [
  ...(/\.ts$/.test(file)
    ? found(lines, /^(import|export|\}).* from '\.[^']*\.spec'/, 'move what is shared out of the file of tests')
    : []),
  ...(/(\/testing\/[^/]*|\.testing)\.ts$/.test(file)
    ? found(lines, /^(before|after)(All|Each)\(/, 'register hooks in a function that the files of tests call')
    : []),
];

module.exports = { letTest, testsAtImport };

/** The rule of `deploy/ci/tidy.mjs` on the number of files in a folder. */
const path = require('node:path');
const { MAX_FILES } = require('../layout.cjs');

/**
 * @param {readonly string[]} files the paths of all files of the repository
 * @returns {import('./rules.d.cts').Finding[]} a finding for each folder with too many files, without its subfolders
 */
function largeFoldersIn(files) {
  const sizes = new Map();
  for (const file of files) sizes.set(path.dirname(file), (sizes.get(path.dirname(file)) ?? 0) + 1);
  return [...sizes]
    .filter(([, size]) => size > MAX_FILES)
    .map(([folder, size]) => ({
      file: folder,
      line: 1,
      rule: 'folder-size',
      message: `${size} files, and a folder holds at most ${MAX_FILES}: divide it by feature`,
    }));
}

module.exports = { largeFoldersIn };

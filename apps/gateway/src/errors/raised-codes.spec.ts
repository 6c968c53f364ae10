import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ERRORS, INTERNAL_ERRORS } from '@ponte/kernel';

const ROOT = resolve(__dirname, '../../../..');
const IGNORED_FOLDERS = 'testing|bench|generated|chaos|e2e|demo|cli|sdk|console|docs-site|openapi|clients';
const IGNORED = new RegExp(`\\.(spec|browser|int)\\.|/(${IGNORED_FOLDERS})/|kernel/src/errors/`);

/** Lists of an operation's possible error codes, which document a code but do not raise it. */
const DOCUMENTED = /\berrors: \[[^\]]*\]|\b(?:\w*ERRORS|REFUSALS|WHO|PLACE_AND_PAPERS|WALLETS) = \[[^\]]*\]/g;

const sources = ['apps', 'libs']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter(
    (file) => file.endsWith('.ts') && !file.includes('node_modules') && !file.includes('/dist/') && !IGNORED.test(file),
  )
  .map((file) => readFileSync(join(ROOT, file), 'utf8').replace(DOCUMENTED, ''))
  .join('\n');

it('every code of the catalogue is raised somewhere', () => {
  const listed = [...Object.keys(ERRORS), ...Object.keys(INTERNAL_ERRORS)];
  expect(listed.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});

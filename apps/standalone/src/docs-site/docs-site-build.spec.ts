import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '@ponte/testing';

const ROOT = resolve(__dirname, '../../../..');
const folder = temporaryFolder();
const at = (path: string): string => join(folder.path, path);
const LOCK = at('node_modules/.cache/ponte-docs-site.lock');
afterAll(() => folder.remove());

/** In place of npm: it writes down when it began and ended, and fails while a file says so. */
const NPM = `#!${process.execPath}
const { appendFileSync, existsSync, mkdirSync } = require('node:fs');
const what = process.argv[2];
appendFileSync(${JSON.stringify(at('calls'))}, 'begin ' + what + '\\n');
if (existsSync(${JSON.stringify(at('broken'))})) {
  console.error('npm error no network');
  process.exit(7);
}
mkdirSync('node_modules', { recursive: true });
mkdirSync('.vitepress/dist', { recursive: true });
setTimeout(() => appendFileSync(${JSON.stringify(at('calls'))}, 'end ' + what + '\\n'), 300);
`;

beforeAll(() => {
  mkdirSync(at('bin'));
  writeFileSync(at('bin/npm'), NPM);
  chmodSync(at('bin/npm'), 0o755);
  const files = ['deploy/build/docs-site.cjs', 'docs/site/package.json', 'docs/site/package-lock.json'];
  for (const file of [...files, 'docs/site/index.md', 'libs/sdk/README.md', 'apps/cli/README.md']) {
    mkdirSync(dirname(at(file)), { recursive: true });
    cpSync(join(ROOT, file), at(file));
  }
});
beforeEach(() => writeFileSync(at('calls'), ''));

const build = (): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((done) => {
    const env = { ...process.env, PATH: `${at('bin')}${delimiter}${process.env['PATH']}` };
    const child = execFile(process.execPath, [at('deploy/build/docs-site.cjs')], { env }, (_error, out, err) =>
      done({ code: child.exitCode, out, err }),
    );
  });
const calls = (): string[] => readFileSync(at('calls'), 'utf8').trim().split('\n').filter(Boolean);

(process.platform === 'win32' ? describe.skip : describe)('the build of the guides', () => {
  it('ends with what npm says and its code when the tools cannot be installed, and leaves no lock', async () => {
    writeFileSync(at('broken'), '');
    const { code, out, err } = await build();
    rmSync(at('broken'));
    expect([code, out, err]).toEqual([7, '', 'npm error no network\n']);
    expect(existsSync(LOCK)).toBe(false);
  });

  it('is made once by two that run at the same time, one after the other', async () => {
    const ends = await Promise.all([build(), build()]);
    expect(ends.map(({ out }) => out.trim()).sort()).toEqual([
      'The guides are built: docs/site/.vitepress/dist',
      'The guides are up to date.',
    ]);
    expect(calls()).toEqual(['begin ci', 'end ci', 'begin run', 'end run']);
  });

  it('is made again when a page has changed, without the tools being installed again', async () => {
    writeFileSync(at('docs/site/index.md'), '# Changed');
    expect((await build()).out).toContain('The guides are built');
    expect(calls()).toEqual(['begin run', 'end run']);
  });

  it('has no stamp while it runs, and none when it fails, so that half a site is never served', async () => {
    writeFileSync(at('docs/site/index.md'), '# Changed once more');
    writeFileSync(at('broken'), '');
    expect((await build()).code).toBe(7);
    rmSync(at('broken'));
    expect(existsSync(at('docs/site/.vitepress/dist/.built'))).toBe(false);
    expect((await build()).out).toContain('The guides are built');
    expect(existsSync(at('docs/site/.vitepress/dist/.built'))).toBe(true);
  });

  it('takes no notice of the lock of a process that was killed', async () => {
    mkdirSync(dirname(LOCK), { recursive: true });
    writeFileSync(LOCK, '999999999');
    expect((await build()).out).toContain('up to date');
  });
});

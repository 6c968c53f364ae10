import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '@ponte/testing';

const ROOT = resolve(__dirname, '../../../..');
const folder = temporaryFolder();
const at = (path: string): string => join(folder.path, path);
const LOCK = at('node_modules/.cache/ponte-docs-site.lock');
afterAll(() => folder.remove());

/** A replacement for npm. It records when it begins and ends, and fails while the file `broken` exists. */
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
  it("exits with npm's output and code when the tools cannot be installed, and leaves no lock", async () => {
    writeFileSync(at('broken'), '');
    const { code, out, err } = await build();
    rmSync(at('broken'));
    expect([code, out, err]).toEqual([7, '', 'npm error no network\n']);
    expect(existsSync(LOCK)).toBe(false);
  });

  it('is done once by two processes that run at the same time', async () => {
    const ends = await Promise.all([build(), build()]);
    expect(ends.map(({ out }) => out.trim()).sort()).toEqual([
      'The guides are built: docs/site/.vitepress/dist',
      'The guides are up to date.',
    ]);
    expect(calls()).toEqual(['begin ci', 'end ci', 'begin run', 'end run']);
  });

  it('is done again after a page has changed, without installing the tools again', async () => {
    writeFileSync(at('docs/site/index.md'), '# Changed');
    expect((await build()).out).toContain('The guides are built');
    expect(calls()).toEqual(['begin run', 'end run']);
  });

  it('leaves no stamp when it fails, so that a partial site is never served', async () => {
    writeFileSync(at('docs/site/index.md'), '# Changed once more');
    writeFileSync(at('broken'), '');
    expect((await build()).code).toBe(7);
    rmSync(at('broken'));
    expect(existsSync(at('docs/site/.vitepress/dist/.built'))).toBe(false);
    expect((await build()).out).toContain('The guides are built');
    expect(existsSync(at('docs/site/.vitepress/dist/.built'))).toBe(true);
  });

  it('ignores the lock of a killed process', async () => {
    mkdirSync(dirname(LOCK), { recursive: true });
    writeFileSync(LOCK, '999999999');
    expect((await build()).out).toContain('up to date');
  });
});

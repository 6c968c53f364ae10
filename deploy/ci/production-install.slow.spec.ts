import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '@ponte/testing';

const ROOT = resolve(__dirname, '../..');
const BUILT = join(ROOT, 'dist/apps/standalone');

const folder = temporaryFolder();
const modules = join(folder.path, 'node_modules');
afterAll(() => folder.remove());

const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', env: { ...process.env, NX_DAEMON: 'false' } });

describe('an installation with only production dependencies', () => {
  beforeAll(() => {
    npm(ROOT, 'run', '--silent', 'build:standalone');
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      cpSync(join(ROOT, name), join(folder.path, name));
    npm(folder.path, 'ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund');
  });

  it('has no compiler and no test tools', () => {
    for (const name of ['typescript', 'jest', 'nx', 'eslint', 'esbuild', '@swc/core'])
      expect([name, existsSync(join(modules, name))]).toEqual([name, false]);
  });

  it('has a program of Latin-1 text, which Node keeps in memory with one byte for each character', () => {
    expect(/[^\0-\xff]{1,40}/.exec(readFileSync(join(BUILT, 'main.js'), 'utf8'))?.[0]).toBeUndefined();
  });

  it('runs the demo from the build', () => {
    // The demo also needs a local chain, which production does not: it uses nodes over RPC.
    symlinkSync(join(ROOT, 'node_modules/@foundry-rs'), join(modules, '@foundry-rs'));
    const place = join(folder.path, 'app');
    mkdirSync(place);
    cpSync(BUILT, place, { recursive: true });
    const printed = execFileSync(process.execPath, [join(place, 'main.js'), 'demo'], {
      cwd: place,
      encoding: 'utf8',
    });
    expect(printed).toContain('webhook');
  });
});

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { greeting } from './greeting';
import type { SandboxFile } from './sandbox-file';

const ROOT = join(__dirname, '../../..');
const quietly = (script: string): Promise<[number, string, string]> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(ROOT, 'deploy/build/quietly.mjs'), process.execPath, '-e', script],
      (_error, out, err) => resolve([child.exitCode ?? -1, out, err]),
    );
  });

const BUILT_FIRST = ['admin', 'demo', 'reset', 'start'];

test('admin, demo, reset and start print the output of their build only if it fails, on standard error', async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const name of BUILT_FIRST)
    expect(scripts[name]).toMatch(
      new RegExp(
        `^node deploy/build/quietly\\.mjs npm run --silent build:standalone && node \\S+ ${name}(?: --guides \\S+)?$`,
      ),
    );
  expect(await quietly("console.log('built'); console.error('a warning')")).toEqual([0, '', '']);
  expect(await quietly("console.log('built'); console.error('broken'); process.exit(3)")).toEqual([
    3,
    '',
    'built\nbroken\n',
  ]);
});

test('the greeting of npm start shows the console and a name to sign in with', () => {
  const sandbox = {
    'base-url': 'http://127.0.0.1:3000',
    console: 'http://127.0.0.1:3000/console/',
    staff: [{ name: 'analyst', role: 'compliance-analyst', password: 'not printed' }],
  } as unknown as SandboxFile;
  const text = greeting(sandbox, '.ponte', 1);
  expect(text).toContain('console      http://127.0.0.1:3000/console/ (sign in as analyst;');
  expect(text).not.toContain('not printed');
});

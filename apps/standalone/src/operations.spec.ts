import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorVerbs } from '@ponte/operator';
import { Command, CommanderError } from 'commander';
import type { Operations } from '../../onboarding/src/admin/operations';
import { buildAdminProgram } from '../../onboarding/src/admin/cli';
import { elsewhereIn } from './elsewhere';
import { ALL_VIEWS } from './views';

const text = (file: string): string => readFileSync(join(__dirname, '../../..', file), 'utf8');
const [operations, deploy] = [text('docs/operations.md'), text('docs/deploy.md')];

class Understood extends Error {}

/** Every verb and flag is known and what must be said is said: it comes to where it would open something. */
async function understood(line: string): Promise<boolean> {
  const said = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const words = elsewhereIn(said)?.words ?? said;
  const program = new Command('main.js').exitOverride().configureOutput({ writeErr: () => undefined });
  const verbs = operatorVerbs(
    () => Promise.reject(new Understood()),
    () => undefined,
  );
  verbs.forEach((verb) => program.addCommand(verb));
  const asks: Operations = new Proxy({} as Operations, { get: () => () => Promise.reject(new Understood()) });
  const one = verbs.some((verb) => verb.name() === words[0])
    ? program
    : buildAdminProgram(
        asks,
        () => undefined,
        () => 'what stands in the file',
      );
  try {
    await one.parseAsync(words, { from: 'user' });
    return false;
  } catch (error) {
    if (error instanceof CommanderError) return false;
    return error instanceof Understood;
  }
}

/** `node deploy/operate.mjs <service> …` stands for the same verb in a container; `"$service"` for any. */
const LINES =
  /(?:node main\.js|npm run admin --|\/nodejs\/bin\/node main\.js|deploy\/operate\.mjs (?:[a-z]+|"\$service")|run --rm --no-deps [a-z]+ main\.js) ([^`\n]+)/g;

test('every command that operations.md and deploy.md give is one that the verbs understand', async () => {
  const lines = [...`${operations}\n${deploy}`.replaceAll('\\\n', ' ').matchAll(LINES)]
    .map(([, line = '']) => line.trim())
    .filter((line) => line !== 'migrate');
  expect(lines.length).toBeGreaterThan(20);
  const strange: string[] = [];
  for (const line of lines) if (!(await understood(line))) strange.push(line);
  expect(strange).toEqual([]);
  expect(
    await Promise.all(
      ['views rebuild orders-view', 'relay rewind relay-orders --reason x', 'parked burn', 'views list --yaml'].map(
        understood,
      ),
    ),
  ).toEqual([false, false, false, false]);
});

test('operations.md names every view with its tables, and rebuilds none that there is not', () => {
  const named = [...operations.matchAll(/^\| \w+ \| `([^`]+)` \| (.+) \|$/gm)].map(([, view, tables = '']) => [
    view,
    tables.replaceAll('`', '').split(', '),
  ]);
  expect(named).toEqual(expect.arrayContaining(ALL_VIEWS.map(({ name, tables }) => [name, [...tables]])));
  expect(named).toHaveLength(ALL_VIEWS.length);
  const rebuilt = [...operations.matchAll(/views rebuild (\S+) --reason/g)]
    .map(([, name]) => name)
    .filter((name) => name !== '--all');
  for (const name of rebuilt) expect(ALL_VIEWS.map((view) => view.name)).toContain(name);
});

test('an installation elsewhere is named wholly, and its token is not sent in clear', () => {
  const line = ['--at', 'https://staff.ponte.example', '--token-file', 'token', 'account:list'];
  const named = { baseUrl: 'https://staff.ponte.example', tokenFile: 'token', words: ['account:list'] };
  expect([
    elsewhereIn(line),
    elsewhereIn(['--token-file', 'token', '--at', 'https://staff.ponte.example/', 'account:list']),
    elsewhereIn(['account:list']),
  ]).toEqual([named, named, undefined]);
  expect(elsewhereIn(['--at=http://127.0.0.1:3000', '--token-file=token'])).toMatchObject({
    baseUrl: 'http://127.0.0.1:3000',
    words: [],
  });
  expect(elsewhereIn([...line, '--at', 'is the verb’s own', '--help'])?.words).toEqual([
    'account:list',
    '--at',
    'is the verb’s own',
    '--help',
  ]);
  for (const wrong of [
    ['--at', 'http://staff.ponte.example', '--token-file', 'token'],
    ['--at', 'https://staff.ponte.example/api', '--token-file', 'token'],
    line.slice(0, 2),
    line.slice(2),
    ['--at'],
    ['--at', 'https://staff.ponte.example', '--token-file', 'token', '--unknown', 'account:list'],
    ['--at', 'staff', '--token-file', 'token'],
  ]) {
    expect(() => elsewhereIn(wrong)).toThrow('--at');
  }
});

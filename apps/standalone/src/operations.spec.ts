import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorVerbs } from '@ponte/operator';
import { Command, CommanderError } from 'commander';
import { elsewhereIn } from '../../admin/src/elsewhere';
import { staffVerbs } from '../../admin/src/program';
import { StaffApi } from '../../admin/src/staff-api/staff-api';
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
  const tools = {
    api: new StaffApi(() => Promise.reject(new Understood())),
    print: () => undefined,
    readFile: () => '{}',
  };
  const one = verbs.some((verb) => verb.name() === words[0]) ? program : staffVerbs(tools, () => undefined);
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorVerbs } from '@ponte/nest';
import { Command, CommanderError } from 'commander';
import type { Operations } from '../../onboarding/src/admin/operations';
import { buildAdminProgram } from '../../onboarding/src/admin/cli';
import { ALL_VIEWS } from './views';

const operations = readFileSync(join(__dirname, '../../../docs/operations.md'), 'utf8');

class Understood extends Error {}

/** Every verb and flag is known and what must be said is said: it comes to where it would open something. */
async function understood(line: string): Promise<boolean> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const program = new Command('main.js').exitOverride().configureOutput({ writeErr: () => undefined });
  const verbs = operatorVerbs(() => Promise.reject(new Understood()), () => undefined);
  verbs.forEach((verb) => program.addCommand(verb));
  const asks: Operations = new Proxy({} as Operations, { get: () => () => Promise.reject(new Understood()) });
  const one = verbs.some((verb) => verb.name() === words[0]) ? program : buildAdminProgram(asks, () => undefined);
  try {
    await one.parseAsync(words, { from: 'user' });
    return false;
  } catch (error) {
    if (error instanceof CommanderError) return false;
    return error instanceof Understood;
  }
}

test('every command that operations.md gives is one that the verbs understand', async () => {
  const lines = [...operations.matchAll(/(?:node main\.js|npm run admin --) ([^`\n]+)/g)].map(([, line = '']) => line.trim());
  expect(lines.length).toBeGreaterThan(20);
  const strange: string[] = [];
  for (const line of lines) if (!(await understood(line))) strange.push(line);
  expect(strange).toEqual([]);
  expect(await Promise.all(['views rebuild orders-view', 'relay rewind relay-orders --reason x', 'parked burn', 'views list --yaml'].map(understood))).toEqual([false, false, false, false]);
});

test('operations.md names every view with its tables, and rebuilds none that there is not', () => {
  const named = [...operations.matchAll(/^\| \w+ \| `([^`]+)` \| (.+) \|$/gm)].map(([, view, tables = '']) => [view, tables.replaceAll('`', '').split(', ')]);
  expect(named).toEqual(expect.arrayContaining(ALL_VIEWS.map(({ name, tables }) => [name, [...tables]])));
  expect(named).toHaveLength(ALL_VIEWS.length);
  const rebuilt = [...operations.matchAll(/views rebuild (\S+) --reason/g)].map(([, name]) => name).filter((name) => name !== '--all');
  for (const name of rebuilt) expect(ALL_VIEWS.map((view) => view.name)).toContain(name);
});

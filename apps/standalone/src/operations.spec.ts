import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorVerbs } from '@ponte/operator';
import { Command, CommanderError } from 'commander';
import { remoteTargetIn } from '../../admin/src/remote-target';
import { staffVerbs } from '../../admin/src/program';
import { StaffApi } from '../../admin/src/staff-api/staff-api';
import { ALL_READ_MODELS } from './cluster.read-models';

const text = (file: string): string => readFileSync(join(__dirname, '../../..', file), 'utf8');
const pagesOf = (folder: string): string =>
  readdirSync(join(__dirname, '../../..', folder))
    .map((page) => text(`${folder}/${page}`))
    .join('\n');
const operations = pagesOf('docs/operations');
const deploy = `${text('docs/deploy.md')}\n${pagesOf('docs/deploy')}`;

class Understood extends Error {}

/**
 * True if every verb and flag of the line is known and nothing required is missing, so that it gets as far as opening
 * engines or calling the API.
 */
async function understood(line: string): Promise<boolean> {
  const argv = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const words = remoteTargetIn(argv)?.words ?? argv;
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

/** `node deploy/operate.mjs <service> …` runs the same verb in a container; `"$service"` means any service. */
const LINES =
  /(?:node main\.js|npm run admin --|\/nodejs\/bin\/node main\.js|deploy\/operate\.mjs (?:[a-z]+|"\$service")|run --rm --no-deps [a-z]+ main\.js) ([^`\n]+)/g;

test('the verbs accept every command in docs/operations, docs/deploy and deploy.md', async () => {
  const lines = [...`${operations}\n${deploy}`.replaceAll('\\\n', ' ').matchAll(LINES)]
    .map(([, line = '']) => line.trim())
    .filter((line) => line !== 'migrate');
  expect(lines.length).toBeGreaterThan(20);
  const strange: string[] = [];
  for (const line of lines) if (!(await understood(line))) strange.push(line);
  expect(strange).toEqual([]);
  expect(
    await Promise.all(
      [
        'read-models rebuild orders-list',
        'relay rewind relay-orders --reason x',
        'parked burn',
        'read-models list --yaml',
      ].map(understood),
    ),
  ).toEqual([false, false, false, false]);
});

test('the help of every noun of the staff API ends with an example that its verbs accept', async () => {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const { commands } = staffVerbs({ api: new StaffApi(() => Promise.reject()), print, readFile: () => '' }, print);
  const nouns = commands.filter((one) => one.helpGroup() === 'Accounts and rules:');
  nouns.forEach((noun) => noun.outputHelp());
  const examples = printed.join('\n').matchAll(/^Example:\n {2}admin (.+)$/gm);
  const lines = [...examples].map(([, line = '']) => line.replaceAll(/<|>/g, ''));
  expect(lines).toHaveLength(nouns.length);
  expect(await Promise.all(lines.map(understood))).toEqual(lines.map(() => true));
});

test('docs/operations rebuilds only existing read models', () => {
  const rebuilt = [...operations.matchAll(/read-models rebuild (\S+) --reason/g)]
    .map(([, name]) => name)
    .filter((name) => name !== '--all');
  expect(rebuilt).not.toEqual([]);
  for (const name of rebuilt) expect(ALL_READ_MODELS.map((readModel) => readModel.name)).toContain(name);
});

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** The services that recipes change, and the files and folders that their code needs. */
const COPIED = [
  ...['gateway', 'movements', 'orders', 'webhooks'].map((name) => `apps/${name}`),
  ...['libs', 'tsconfig.base.json', 'jest.config.cjs', '.swcrc', 'package.json'],
];

/** The time limit of a program, so that a hanging test ends. */
const MAX_MS = 240_000;

interface Block {
  readonly file: string;
  /**
   * The text of the line before which the block is inserted or which it replaces; undefined if the block is the whole
   * file.
   */
  readonly at: string | undefined;
  readonly replaces: boolean;
  readonly code: string;
}

/** Returns the fenced blocks of a recipe that begin with a file name. */
function blocksOf(recipe: string): Block[] {
  const text = readFileSync(join(ROOT, 'docs/recipes', recipe), 'utf8');
  return [...text.matchAll(/^( *)```ts\n\1\/\/ (\S+\.ts)(?:, (before|instead of): ([^\n]*))?\n(.*?)^\1```$/gms)].map(
    ([, indent = '', file = '', how, at, code = '']) => ({
      file,
      at,
      replaces: how === 'instead of',
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

const isTest = ({ file }: Block): boolean => file.endsWith('.spec.ts');
const isTable = ({ file }: Block): boolean => file.includes('/testing/');
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The text of a file after applying the block. */
function followed({ file, at, replaces, code }: Block, folder: string): string {
  if (at === undefined) return code;
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const places = lines.flatMap((line, index) => (line.includes(at) ? [index] : []));
  if (places.length !== 1) throw new Error(`${file} has "${at}" ${places.length} times; a block needs one place`);
  const [place = 0] = places;
  return [...lines.slice(0, place), code.trimEnd(), ...lines.slice(replaces ? place + 1 : place)].join('\n');
}

/** The recipes that are followed together in one copy. Two recipes replace the same line, so they are kept apart. */
const COPIES = [
  ['add-a-read-model.md', 'add-a-webhook-event.md', 'add-a-policy.md'],
  ['add-a-route.md', 'add-a-command.md', 'add-an-aggregate.md'],
] as const;

describe.each(COPIES)('the recipes %s, %s and %s', (...recipes) => {
  const blocks = recipes.flatMap(blocksOf);
  /** A copy of the services and libraries to which the recipes have been applied exactly. */
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'ponte-recipes-'));
    for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (const block of blocks) {
      mkdirSync(dirname(join(copy, block.file)), { recursive: true });
      writeFileSync(join(copy, block.file), followed(block, copy));
    }
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** Runs a program in the copy. Returns `passed`, or its output. */
  function run(program: string, ...parameters: string[]): string {
    const bin = join(ROOT, 'node_modules/.bin', program);
    const { status, stdout, stderr } = spawnSync(bin, parameters, { cwd: copy, encoding: 'utf8', timeout: MAX_MS });
    return status === 0 ? 'passed' : stdout + stderr;
  }

  it('compile when they are followed exactly', () => {
    const include = ['libs/*/src/**/*.d.ts', ...blocks.map(({ file }) => file)];
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', include }));
    expect(run('tsc', '-p', 'tsconfig.json')).toBe('passed');
  });

  it('pass their own tests', () => {
    const config = { roots: ['<rootDir>/apps'], reporters: ['default'] };
    const source = `module.exports = { ...require('./jest.config.cjs'), ...${JSON.stringify(config)} };`;
    writeFileSync(join(copy, 'jest.recipe.cjs'), source);
    for (const recipe of recipes) expect(blocksOf(recipe).filter(isTest)).not.toEqual([]);
    const tests = blocks.filter(isTest).map(({ file }) => file);
    expect(run('jest', '--config', 'jest.recipe.cjs', ...tests)).toBe('passed');
  });
});

describe('the recipe for a read model', () => {
  const MAX_LINES = 60;
  const blocks = blocksOf('add-a-read-model.md');

  it(`costs one new file of at most ${MAX_LINES} lines`, () => {
    const written = blocks.filter((block) => !isTest(block) && !existsSync(join(ROOT, block.file)));
    expect(written.map(({ file }) => file)).toEqual([expect.stringMatching(/\.read-model\.ts$/)]);
    expect((written[0]?.code ?? '').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  });

  it('changes one other file, the list of the service, with an import and an entry', () => {
    const changed = blocks.filter(({ file }) => existsSync(join(ROOT, file)));
    expect(changed).toHaveLength(1);
    const before = new Set(linesOf(textOf(changed[0]?.file ?? '')));
    expect(linesOf(changed[0]?.code ?? '').filter((line) => !before.has(line))).toHaveLength(2);
  });
});

describe('the recipe for a webhook event', () => {
  const MAX_LINES = 10;
  const blocks = blocksOf('add-a-webhook-event.md');

  it(`costs at most ${MAX_LINES} lines in two files`, () => {
    const changed = blocks.filter((block) => !isTest(block));
    expect(new Set(changed.map(({ file }) => file)).size).toBe(2);
    expect(changed.flatMap(({ code }) => linesOf(code)).length).toBeLessThanOrEqual(MAX_LINES);
  });
});

describe('the recipe for a policy', () => {
  const MAX_LINES = 20;
  const blocks = blocksOf('add-a-policy.md');

  it(`costs at most ${MAX_LINES} lines in two files: the policy, and an import and an entry in a list`, () => {
    const changed = blocks.filter((block) => !isTest(block));
    expect(new Set(changed.map(({ file }) => file)).size).toBe(2);
    expect(changed.filter(({ at }) => at !== undefined).flatMap(({ code }) => linesOf(code))).toHaveLength(2);
    expect(changed.flatMap(({ code }) => linesOf(code)).length).toBeLessThanOrEqual(MAX_LINES);
  });
});

describe('the recipe for a route', () => {
  const MAX_LINES = 50;
  const blocks = blocksOf('add-a-route.md');

  it(`costs at most ${MAX_LINES} lines in three files, and two lines in the table of routes that tests use`, () => {
    const changed = blocks.filter((block) => !isTest(block));
    const [tables, code] = [changed.filter(isTable), changed.filter((block) => !isTable(block))];
    expect(new Set(code.map(({ file }) => file)).size).toBe(3);
    expect(code.flatMap((block) => linesOf(block.code)).length).toBeLessThanOrEqual(MAX_LINES);
    expect(tables.flatMap((block) => linesOf(block.code))).toHaveLength(2);
  });
});

describe('the recipe for a command that partners may call', () => {
  const [MAX_LINES, MAX_FILES] = [60, 6];
  const blocks = blocksOf('add-a-command.md');

  it(`costs at most ${MAX_LINES} lines in ${MAX_FILES} files, from the contract to the route`, () => {
    const code = blocks.filter((block) => !isTest(block));
    expect(new Set(code.map(({ file }) => file)).size).toBeLessThanOrEqual(MAX_FILES);
    expect(code.flatMap((block) => linesOf(block.code)).length).toBeLessThanOrEqual(MAX_LINES);
  });
});

describe('the recipe for an aggregate with a list', () => {
  const [MAX_LINES, NEW_FILES, LISTS] = [150, 5, 3];
  const FILES = NEW_FILES + LISTS;
  const blocks = blocksOf('add-an-aggregate.md');

  it(`costs at most ${MAX_LINES} lines in ${FILES} files: ${NEW_FILES} new ones and ${LISTS} lists`, () => {
    const code = blocks.filter((block) => !isTest(block));
    const files = [...new Set(code.map(({ file }) => file))];
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toHaveLength(NEW_FILES);
    expect(files.filter((file) => existsSync(join(ROOT, file)))).toHaveLength(LISTS);
    expect(code.flatMap((block) => linesOf(block.code)).length).toBeLessThanOrEqual(MAX_LINES);
  });
});

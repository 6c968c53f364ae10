import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** The services that recipes change, and the files and folders that their code needs. */
const COPIED = [
  ...['gateway', 'movements', 'orders', 'webhooks'].map((name) => `apps/${name}`),
  ...['libs', 'tsconfig.base.json', 'jest.config.cjs', '.swcrc', 'package.json'],
];

/** The largest numbers of lines and files, without tests and generated lists. */
const COSTS = [
  ['add-a-command.md', 60, 6],
  ['add-an-aggregate.md', 150, 6],
  ['add-a-read-model.md', 60, 1],
  ['add-a-webhook-event.md', 10, 2],
  ['add-a-policy.md', 20, 2],
  ['add-a-route.md', 50, 3],
] as const;
const RECIPES = COSTS.map(([recipe]) => recipe);

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
const linesOf = ({ code }: Block): string[] => code.trimEnd().split('\n');

/** The text of a file after applying the block. */
function followed({ file, at, replaces, code }: Block, folder: string): string {
  if (at === undefined) return code;
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const places = lines.flatMap((line, index) => (line.includes(at) ? [index] : []));
  if (places.length !== 1) throw new Error(`${file} has "${at}" ${places.length} times; a block needs one place`);
  const [place = 0] = places;
  return [...lines.slice(0, place), code.trimEnd(), ...lines.slice(replaces ? place + 1 : place)].join('\n');
}

describe('the recipes', () => {
  const blocks = RECIPES.flatMap(blocksOf);
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
    execFileSync(process.execPath, [join(ROOT, 'deploy/ci/generate.mjs')], { cwd: copy });
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
    for (const recipe of RECIPES) expect(blocksOf(recipe).filter(isTest)).not.toEqual([]);
    const tests = blocks.filter(isTest).map(({ file }) => file);
    expect(run('jest', '--config', 'jest.recipe.cjs', ...tests)).toBe('passed');
  });
});

describe.each(COSTS)('the recipe %s', (recipe, maxLines, maxFiles) => {
  const blocks = blocksOf(recipe).filter((block) => !isTest(block) && !isTable(block));

  it(`costs at most ${maxLines} lines in ${maxFiles} files`, () => {
    expect(blocks.flatMap(linesOf).length).toBeLessThanOrEqual(maxLines);
    expect(new Set(blocks.map(({ file }) => file)).size).toBeLessThanOrEqual(maxFiles);
  });

  it('changes no generated file', () => {
    const existing = blocks.map(({ file }) => join(ROOT, file)).filter((file) => existsSync(file));
    expect(existing.filter((file) => readFileSync(file, 'utf8').startsWith('// Generated'))).toEqual([]);
  });
});

it('the recipe for a route adds two lines to the table of routes that tests use', () => {
  const table = blocksOf('add-a-route.md').filter(isTable);
  expect(table.flatMap(linesOf)).toHaveLength(2);
});

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** Files and folders that the code of a recipe needs in addition to its own service. */
const COPIED = ['libs', 'tsconfig.base.json', 'jest.config.cjs', '.swcrc', 'package.json'];

/** The time limit of a program, so that a hanging test ends. */
const MOST_MS = 240_000;

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

/** A copy of services and libraries to which a recipe was applied exactly. */
class Scratch {
  readonly blocks: readonly Block[];
  private readonly folder = mkdtempSync(join(tmpdir(), 'ponte-recipe-'));

  constructor(recipe: string, apps: readonly string[]) {
    this.blocks = blocksOf(recipe);
    for (const path of [...apps, ...COPIED]) cpSync(join(ROOT, path), join(this.folder, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    for (const block of this.blocks) {
      mkdirSync(dirname(join(this.folder, block.file)), { recursive: true });
      writeFileSync(join(this.folder, block.file), followed(block, this.folder));
    }
  }

  /** Returns `passed`, or the compiler's output for the files of the recipe and their imports. */
  compiled(): string {
    const include = ['libs/*/src/**/*.d.ts', ...this.blocks.map(({ file }) => file)];
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', include }));
    return this.run('tsc', '-p', 'tsconfig.json');
  }

  /** Returns `passed`, or Jest's output for the tests of the recipe. */
  tested(): string {
    const config = { roots: ['<rootDir>/apps'], reporters: ['default'] };
    const source = `module.exports = { ...require('./jest.config.cjs'), ...${JSON.stringify(config)} };`;
    writeFileSync(join(this.folder, 'jest.recipe.cjs'), source);
    const tests = this.blocks.filter(isTest).map(({ file }) => file);
    return tests.length === 0 ? 'the recipe has no test' : this.run('jest', '--config', 'jest.recipe.cjs', ...tests);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(program: string, ...parameters: string[]): string {
    const bin = join(ROOT, 'node_modules/.bin', program);
    const { status, stdout, stderr } = spawnSync(bin, parameters, {
      cwd: this.folder,
      encoding: 'utf8',
      timeout: MOST_MS,
    });
    return status === 0 ? 'passed' : stdout + stderr;
  }
}

const follow = (recipe: string, ...apps: string[]): { readonly at: () => Scratch } => {
  let scratch: Scratch;
  beforeAll(() => {
    scratch = new Scratch(recipe, apps);
  });
  afterAll(() => scratch.remove());
  it('compiles when it is followed exactly', () => expect(scratch.compiled()).toBe('passed'));
  it('passes its own tests', () => expect(scratch.tested()).toBe('passed'));
  return { at: () => scratch };
};

describe('the recipe for a read model', () => {
  const MOST_LINES = 60;
  const scratch = follow('add-a-read-model.md', 'apps/orders');

  it(`costs one new file of at most ${MOST_LINES} lines`, () => {
    const written = scratch.at().blocks.filter((block) => !isTest(block) && !existsSync(join(ROOT, block.file)));
    expect(written.map(({ file }) => file)).toEqual([expect.stringMatching(/\.read-model\.ts$/)]);
    expect((written[0]?.code ?? '').trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
  });

  it('changes one other file, the list of the service, with an import and an entry', () => {
    const changed = scratch.at().blocks.filter(({ file }) => existsSync(join(ROOT, file)));
    expect(changed).toHaveLength(1);
    const before = new Set(linesOf(textOf(changed[0]?.file ?? '')));
    expect(linesOf(changed[0]?.code ?? '').filter((line) => !before.has(line))).toHaveLength(2);
  });
});

describe('the recipe for a webhook event', () => {
  const MOST_LINES = 10;
  const scratch = follow('add-a-webhook-event.md', 'apps/webhooks');

  it(`costs at most ${MOST_LINES} lines in two files`, () => {
    const changed = scratch.at().blocks.filter((block) => !isTest(block));
    expect(new Set(changed.map(({ file }) => file)).size).toBe(2);
    expect(changed.flatMap(({ code }) => linesOf(code)).length).toBeLessThanOrEqual(MOST_LINES);
  });
});

describe('the recipe for a policy', () => {
  const MOST_LINES = 20;
  const scratch = follow('add-a-policy.md', 'apps/orders');

  it(`costs at most ${MOST_LINES} lines in two files: the policy, and an import and an entry in a list`, () => {
    const changed = scratch.at().blocks.filter((block) => !isTest(block));
    expect(new Set(changed.map(({ file }) => file)).size).toBe(2);
    expect(changed.filter(({ at }) => at !== undefined).flatMap(({ code }) => linesOf(code))).toHaveLength(2);
    expect(changed.flatMap(({ code }) => linesOf(code)).length).toBeLessThanOrEqual(MOST_LINES);
  });
});

describe('the recipe for a route', () => {
  const MOST_LINES = 50;
  const scratch = follow('add-a-route.md', 'apps/gateway');

  it(`costs at most ${MOST_LINES} lines in three files, and two lines in the table of routes that tests use`, () => {
    const changed = scratch.at().blocks.filter((block) => !isTest(block));
    const [tables, code] = [changed.filter(isTable), changed.filter((block) => !isTable(block))];
    expect(new Set(code.map(({ file }) => file)).size).toBe(3);
    expect(code.flatMap((block) => linesOf(block.code)).length).toBeLessThanOrEqual(MOST_LINES);
    expect(tables.flatMap((block) => linesOf(block.code))).toHaveLength(2);
  });
});

describe('the recipe for a command that partners may call', () => {
  const [MOST_LINES, MOST_FILES] = [60, 6];
  const scratch = follow('add-a-command.md', 'apps/movements', 'apps/gateway');

  it(`costs at most ${MOST_LINES} lines in ${MOST_FILES} files, from the contract to the route`, () => {
    const code = scratch.at().blocks.filter((block) => !isTest(block));
    expect(new Set(code.map(({ file }) => file)).size).toBeLessThanOrEqual(MOST_FILES);
    expect(code.flatMap((block) => linesOf(block.code)).length).toBeLessThanOrEqual(MOST_LINES);
  });
});

describe('the recipe for an aggregate with a list', () => {
  const [MOST_LINES, NEW_FILES, LISTS] = [150, 5, 3];
  const scratch = follow('add-an-aggregate.md', 'apps/orders');

  it(`costs at most ${MOST_LINES} lines: in ${NEW_FILES} new files, one for each part, and in ${LISTS} lists`, () => {
    const code = scratch.at().blocks.filter((block) => !isTest(block));
    const files = [...new Set(code.map(({ file }) => file))];
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toHaveLength(NEW_FILES);
    expect(files.filter((file) => existsSync(join(ROOT, file)))).toHaveLength(LISTS);
    expect(code.flatMap((block) => linesOf(block.code)).length).toBeLessThanOrEqual(MOST_LINES);
  });
});

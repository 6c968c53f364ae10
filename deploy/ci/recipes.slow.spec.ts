import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** What the code of a recipe is compiled and run with. */
const COPIED = ['apps/orders', 'libs', 'tsconfig.base.json', 'jest.config.cjs', '.swcrc', 'package.json'];
const MOST_LINES = 60;

interface Block {
  readonly file: string;
  readonly code: string;
}

/** The fenced blocks of a recipe that begin with the name of their file. */
function blocksOf(recipe: string): Block[] {
  const text = readFileSync(join(ROOT, 'docs/recipes', recipe), 'utf8');
  return [...text.matchAll(/^( *)```ts\n\1\/\/ (\S+\.ts)\n(.*?)^\1```$/gms)].map(
    ([, indent = '', file = '', code = '']) => ({
      file,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

const isTest = ({ file }: Block): boolean => file.endsWith('.spec.ts');
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

describe('the recipe for a read model', () => {
  const blocks = blocksOf('add-a-read-model.md');
  const written = blocks.filter((block) => !isTest(block) && !existsSync(join(ROOT, block.file)));
  const changed = blocks.filter(({ file }) => existsSync(join(ROOT, file)));
  let scratch: string;
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'ponte-recipe-'));
    for (const path of COPIED) cpSync(join(ROOT, path), join(scratch, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
    for (const { file, code } of blocks) writeFileSync(join(scratch, file), code);
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  const run = (program: string, ...parameters: string[]): string => {
    const bin = join(ROOT, 'node_modules/.bin', program);
    const { status, stdout, stderr } = spawnSync(bin, parameters, { cwd: scratch, encoding: 'utf8' });
    return status === 0 ? 'passed' : stdout + stderr;
  };

  it(`costs one new file of at most ${MOST_LINES} lines`, () => {
    expect(written.map(({ file }) => file)).toEqual([expect.stringMatching(/\.read-model\.ts$/)]);
    expect((written[0]?.code ?? '').trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
  });

  it('changes one other file: the list of the service, by an import and an entry', () => {
    expect(changed).toHaveLength(1);
    const before = new Set(linesOf(readFileSync(join(ROOT, changed[0]?.file ?? ''), 'utf8')));
    expect(linesOf(changed[0]?.code ?? '').filter((line) => !before.has(line))).toHaveLength(2);
  });

  it('compiles when it is followed to the letter', () => {
    const include = ['libs/*/src/**/*.d.ts', ...blocks.map(({ file }) => file)];
    writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', include }));
    expect(run('tsc', '-p', 'tsconfig.json')).toBe('passed');
  });

  it('passes the test that it gives', () => {
    const config = { roots: ['<rootDir>/apps'], reporters: ['default'] };
    const source = `module.exports = { ...require('./jest.config.cjs'), ...${JSON.stringify(config)} };`;
    writeFileSync(join(scratch, 'jest.recipe.cjs'), source);
    expect(run('jest', '--config', 'jest.recipe.cjs', blocks.find(isTest)?.file ?? 'none')).toBe('passed');
  });
});

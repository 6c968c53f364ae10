import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inGroups } from './spec-groups.cjs';

const ROOT = resolve(__dirname, '../../..');
const NAME = `test-${process.pid}`;
const FOLDER = join(ROOT, 'dist/spec-groups', NAME);
const isMember = (path: string) => /^deploy\/ci\/.*\.spec\.ts$/.test(path);
const grouped = (size: number, ...argv: string[]) => inGroups(NAME, { size, isMember, argv });
const named = () =>
  readdirSync(FOLDER).map((file) =>
    [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/^describe\('([^']+)'/gm)].map(([, path]) => path),
  );

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe('suites in groups', () => {
  it('are each in one group, which requires their files', () => {
    expect(grouped(2)).toEqual({
      roots: [`<rootDir>/dist/spec-groups/${NAME}`],
      testMatch: [`<rootDir>/dist/spec-groups/${NAME}/*.spec.ts`],
    });
    const groups = named();
    expect(Math.max(...groups.map((group) => group.length))).toBe(2);
    const suites = groups.flat();
    expect(suites).toContain('deploy/ci/jest/spec-groups.spec.ts');
    expect(new Set(suites).size).toBe(suites.length);
    for (const file of readdirSync(FOLDER))
      for (const [, path = ''] of readFileSync(join(FOLDER, file), 'utf8').matchAll(/require\('([^']+)'\)/g))
        expect(statSync(resolve(FOLDER, path)).isFile()).toBe(true);
  });

  it('are divided again when the groups have another size, and left alone otherwise', () => {
    grouped(2);
    const before = readdirSync(FOLDER).length;
    const writtenAt = () => statSync(join(FOLDER, '000.spec.ts')).mtimeMs;
    const first = writtenAt();
    grouped(2);
    expect(writtenAt()).toBe(first);
    grouped(100);
    expect([before > 1, readdirSync(FOLDER)]).toEqual([true, ['000.spec.ts']]);
  });

  it.each([
    ['--config', 'deploy/ci/jest/quick.config.cjs'],
    ['--config=deploy/ci/jest/quick.config.cjs', '--maxWorkers', '3', '--verbose'],
    ['-w', '3', '-t', 'a quote', '--ci'],
  ])('are used with the options %s %s', (...argv) => expect(grouped(100, ...argv)).toHaveProperty('roots'));

  it.each([
    ['libs/kernel'],
    ['money'],
    ['--verbose', 'money'],
    ['--config', 'deploy/ci/jest/quick.config.cjs', 'apps/orders'],
  ])('are not used by a run that names suites: %s %s', (...argv) => expect(grouped(100, ...argv)).toEqual({}));
});

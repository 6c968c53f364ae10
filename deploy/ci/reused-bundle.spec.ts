import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TWO_DAYS_MS = 2 * 86_400_000;

describe('a reused bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-bundle-'));
  const sources = join(folder, 'sources');
  const kept = join(folder, 'kept');
  const write = (name: string, text: string) => writeFileSync(join(sources, name), text);
  beforeAll(() => {
    mkdirSync(sources);
    write('entry.ts', "import { said } from './part';\nconsole.log(said as string);");
    write('part.ts', "export const said: string = 'first';");
    write('part.spec.ts', '');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What the bundle prints. */
  function printed(): string {
    const args = JSON.stringify([join(sources, 'entry.ts'), join(folder, 'out.cjs'), { kept, sources: [sources] }]);
    const script = "require('./deploy/build/reused-bundle.cjs')";
    execFileSync(process.execPath, ['-e', `${script}.reusedBundle(...${args})`], { cwd: join(__dirname, '../..') });
    return execFileSync(process.execPath, [join(folder, 'out.cjs')], { encoding: 'utf8' }).trim();
  }

  it('is made when a source has changed, and copied when none or only a test has', () => {
    expect(printed()).toBe('first');
    const [first = ''] = readdirSync(kept);
    writeFileSync(join(kept, first), "console.log('copied')");
    write('part.spec.ts', 'changed');
    expect(printed()).toBe('copied');
    write('part.ts', "export const said: string = 'second';");
    expect(printed()).toBe('second');
  });

  it('is removed when a later one is made a day after its last change', () => {
    const before = readdirSync(kept);
    const old = new Date(Date.now() - TWO_DAYS_MS);
    for (const name of before) utimesSync(join(kept, name), old, old);
    write('part.ts', "export const said: string = 'third';");
    expect(printed()).toBe('third');
    expect(readdirSync(kept)).toHaveLength(1);
  });
});

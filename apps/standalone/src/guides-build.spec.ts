import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { until } from './e2e/testing/waiting';
import { buildGuides } from './guides-build';

const ROOT = resolve(__dirname, '../../..');
const ADDRESS = 'http://127.0.0.1:3000/docs';
const folder = temporaryFolder();
afterAll(() => folder.remove());

let made = 0;
function script(text: string): string {
  const path = join(folder.path, `script-${(made += 1)}.cjs`);
  writeFileSync(path, text);
  return path;
}

/** Starts a build with a script. `said` collects the lines that it reports. */
function building(text: string): { readonly output: string[]; stop(): void } {
  const output: string[] = [];
  const build = buildGuides(script(text), ADDRESS, (line) => output.push(line));
  return { output, stop: () => build.stop() };
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('the guides that npm start builds', () => {
  it('are announced with their address once they are built', async () => {
    const { output } = building("console.log('tools'); console.log('The guides are built: docs/site/.vitepress/dist')");
    await until(() => expect(output).toEqual([`The guides are built: ${ADDRESS}`]));
  });

  it('are not announced again when nothing has changed', async () => {
    const end = join(folder.path, 'ended');
    const ended = `require('node:fs').writeFileSync(${JSON.stringify(end)}, '')`;
    const { output } = building(`console.log('The guides are up to date.'); process.on('exit', () => ${ended})`);
    await until(() => expect(existsSync(end)).toBe(true));
    await new Promise((done) => setTimeout(done, 200));
    expect(output).toEqual([]);
  });

  it('report the reason and the command to try again when they cannot be built', async () => {
    const { output } = building("console.error('npm error network request failed'); process.exit(1)");
    await until(() => expect(output).toHaveLength(1));
    expect(output[0]).toMatch(/could not be built[^]*npm run docs:site\nnpm error network request failed$/);
  });

  it('stop building when the sandbox stops, including child processes of the script', async () => {
    const file = join(folder.path, 'pid');
    const noted = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid))`;
    const child = `setInterval(() => {}, 1000); ${noted}`;
    const { output, stop } = building(
      `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(child)}])`,
    );
    await until(() => expect(existsSync(file) && Number(readFileSync(file, 'utf8'))).toBeGreaterThan(0));
    const pid = Number(readFileSync(file, 'utf8'));
    stop();
    await until(() => expect(isRunning(pid)).toBe(false));
    expect(output).toEqual([]);
  });

  it('are built by the script that npm run docs:site runs', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const [, path = ''] = /main\.js start --guides (\S+)$/.exec(scripts['start'] ?? '') ?? [];
    expect(scripts['docs:site']).toBe(`node ${path}`);
    execFileSync(process.execPath, ['--check', join(ROOT, path)]);
  });
});

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '@ponte/testing';
import { readSandboxFile } from '../../sandbox-file';
import type { Json } from '../testing/client';
import type { Running } from '../testing/program';
import { itEmbedded, ROOT, SIMULATED, SUITE_MS } from '../testing/program';
import { SandboxSuite } from '../testing/sandbox-suite';

jest.setTimeout(SUITE_MS);

let suite: SandboxSuite;
let running: Running;
beforeAll(async () => {
  suite = await SandboxSuite.start();
  running = suite.running;
});
afterAll(() => suite.close());

describe('the curl commands for newcomers', () => {
  const sh = async (script: string, cwd: string): Promise<Json> =>
    JSON.parse((await promisify(execFile)('sh', ['-c', script], { cwd })).stdout) as Json;
  const hasCurl =
    process.env['PATH']?.split(':').some((folder) => {
      try {
        return readFileSync(join(folder, 'curl')).length > 0;
      } catch {
        return false;
      }
    }) ?? false;

  (hasCurl ? it : it.skip)('in the README and in the output of the start work unchanged', async () => {
    const blocks = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
      ([, block = '']) => block,
    );
    const copied = blocks.find((block) => block.includes('curl')) ?? '';
    const [printed = ''] = running.printed.slice(running.printed.indexOf('curl -s')).split('\n\n');
    for (const script of [copied, printed]) {
      expect(await sh(script, dirname(running.dataDirectory))).toMatchObject({
        'source-asset': 'fiat/brl',
        'target-asset': 'eth-base/brlv',
        'source-amount': '100.00',
        'target-amount': '100.000000000000000000',
      });
    }
  });
});

describe('a script that starts a sandbox', () => {
  const status = (url: string): Promise<number> =>
    fetch(url).then(
      (response) => response.status,
      () => 0,
    );

  itEmbedded('finds sandbox.json as soon as the sandbox is ready, and a warning about a misspelt setting', async () => {
    const folder = suite.program.dataFolder();
    const port = await freePort();
    const starting = suite.program.start(folder, { ...SIMULATED, PORT: String(port), PONTE_LOG_LEVL: 'info' });
    starting.catch(() => undefined);
    while ((await status(`http://127.0.0.1:${port}/readyz`)) !== 200) await wait(1);
    expect(readSandboxFile(folder)).toMatchObject({ 'base-url': `http://127.0.0.1:${port}` });
    expect((await starting).log).toContain('PONTE_LOG_LEVL (PONTE_LOG_LEVEL?)');
  });
});

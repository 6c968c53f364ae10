import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Json } from '../testing/client';
import type { Running } from '../testing/program';
import { ROOT, SUITE_MS } from '../testing/program';
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

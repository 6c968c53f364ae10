import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import type { InProcessCluster } from '../e2e/testing/in-process';
import { startInProcess } from '../e2e/testing/in-process';
import { execute, nodeOf, ROOT, variablesOf } from './testing/tools';

/** The size limit of the packed package, low enough to detect a source map that was included by mistake. */
const MAX_BYTES = 400_000;

const folder = temporaryFolder();
const cwd = folder.path;
let cluster: InProcessCluster;
let tarball: string;
beforeAll(async () => {
  const { build } = (await import(join(ROOT, 'apps/cli/build.cjs'))) as { build: (out: string) => Promise<void> };
  const built = join(cwd, 'built');
  await build(built);
  const [{ filename = '' } = {}] = JSON.parse(
    await execute('npm', ['pack', '--json', '--pack-destination', cwd], { cwd: built }),
  ) as { filename?: string }[];
  tarball = join(cwd, filename);
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'scratch', private: true }));
  await execute('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--offline', tarball], { cwd });
  cluster = await startInProcess({});
});
afterAll(async () => {
  folder.remove();
  await cluster.close();
});

const QUOTE = ['quote', '--from', 'fiat/brl', '--to', 'eth-base/brlv', '--amount', '100.00', '--json'];

describe('the packed command line', () => {
  it('is small and installs without a network because it has no dependencies', () => {
    expect(statSync(tarball).size).toBeLessThan(MAX_BYTES);
    expect(readdirSync(join(cwd, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@ponte']);
    expect(readdirSync(join(cwd, 'node_modules/@ponte'))).toEqual(['cli']);
    expect(readdirSync(join(cwd, 'node_modules/@ponte/cli')).sort()).toEqual([
      'README.md',
      'THIRD-PARTY-LICENSES.txt',
      'package.json',
      'ponte.js',
    ]);
  });

  it('requests a quote as npx @ponte/cli', async () => {
    const env = { ...variablesOf(cluster), PONTE_CONFIG_DIR: join(cwd, 'config') };
    const printed = await execute('npx', ['--no-install', '@ponte/cli', ...QUOTE], {
      cwd,
      env,
    });
    expect(JSON.parse(printed)).toMatchObject({ 'source-amount': '100.00' });
  });

  it.each(([20, 22, 24] as const).flatMap((major) => (nodeOf(major) === undefined ? [] : [[major]])))(
    'requests a quote on Node %i',
    async (major) => {
      const env = { ...variablesOf(cluster), PONTE_CONFIG_DIR: join(cwd, 'config') };
      const program = join(cwd, 'node_modules/@ponte/cli/ponte.js');
      const args = [program, ...QUOTE];
      expect(JSON.parse(await execute(nodeOf(major) ?? '', args, { cwd, env }))).toMatchObject({
        'source-amount': '100.00',
      });
    },
  );
});

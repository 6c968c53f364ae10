import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import type { InProcessCluster } from '../e2e/testing/in-process';
import { startInProcess } from '../e2e/testing/in-process';
import { execute, expectDone, nodeOf, ROOT, SCENARIOS, tool, TOOLS, variablesOf } from './testing/tools';

/** The size limit of the packed package, low enough to detect a bundle or source map that was included by mistake. */
const MAX_BYTES = 200_000;
const MAX_DEPENDENCIES = 2;

const RESOLUTIONS = [
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'preserve', moduleResolution: 'bundler' },
];

const folder = temporaryFolder();
const cwd = folder.path;
const packed = join(ROOT, 'dist/libs/sdk');
let tarball: string;
let cluster: InProcessCluster;
beforeAll(async () => {
  await execute(process.execPath, [join(ROOT, 'libs/sdk/build.mjs')], { cwd: ROOT });
  const [{ filename = '' } = {}] = JSON.parse(
    await execute('npm', ['pack', '--json', '--pack-destination', cwd], { cwd: packed }),
  ) as { filename?: string }[];
  tarball = join(cwd, filename);
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'scratch', private: true, type: 'module' }));
  await execute('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball], { cwd });
  cluster = await startInProcess({});
});
afterAll(async () => {
  folder.remove();
  await cluster.close();
});

/** Runs an ES module in the tools' folder, since Jest cannot load it. */
const runModule = (text: string, file = join(TOOLS, 'check.mjs')): Promise<string> => {
  writeFileSync(file, text);
  return execute(process.execPath, [file], { cwd });
};

describe('the packed SDK', () => {
  it('is small and has at most two dependencies', () => {
    const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as { dependencies: object };
    expect(statSync(tarball).size).toBeLessThan(MAX_BYTES);
    expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(MAX_DEPENDENCIES);
  });

  it('satisfies publint and arethetypeswrong', async () => {
    const report = await runModule(`
      import { readFileSync } from 'node:fs';
      import { publint } from 'publint';
      import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
      const { messages } = await publint({ pkgDir: ${JSON.stringify(packed)}, strict: true, pack: false });
      const { problems } = await checkPackage(createPackageFromTarballData(readFileSync(${JSON.stringify(tarball)})));
      console.log(JSON.stringify({ messages, problems }));`);
    expect(JSON.parse(report)).toEqual({ messages: [], problems: [] });
  });

  it.each(RESOLUTIONS)('has types that resolve with $moduleResolution for import and require', async (resolution) => {
    const project = join(cwd, resolution.module);
    mkdirSync(project);
    for (const file of ['sandbox.ts', 'sdk.ts']) {
      const text = readFileSync(join(SCENARIOS, file), 'utf8').replace("'./sandbox'", "'./sandbox.js'");
      writeFileSync(join(project, file), text);
    }
    writeFileSync(
      join(project, 'required.cts'),
      `import sdk = require('@ponte/sdk');
        new sdk.Ponte({ baseUrl: '', apiKey: '' }).getAccount('').then(({ account }) => account.id);`,
    );
    const compilerOptions = {
      strict: true,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      noEmit: true,
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      ...resolution,
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', '*.cts'] }));
    await execute(process.execPath, [tool('typescript/bin/tsc'), '-p', '.'], { cwd: project });
  });
});

const OTHERS = ([20, 22, 24] as const).filter((major) => !process.version.startsWith(`v${major}.`));

describe.each([
  ['this Node', process.execPath],
  ...OTHERS.map((major): [string, string | undefined] => [`Node ${major}`, nodeOf(major)]),
])('the packed SDK on %s', (name, node) => {
  const scenario = async (format: 'esm' | 'cjs'): Promise<string> => {
    const { build } = await import('esbuild');
    const outfile = join(cwd, `scenario.${format === 'esm' ? 'mjs' : 'cjs'}`);
    cpSync(SCENARIOS, join(cwd, 'scenarios'), { recursive: true });
    await build({
      entryPoints: [join(cwd, 'scenarios/sdk.ts')],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format,
    });
    return outfile;
  };

  it.each(['esm', 'cjs'] as const)(`runs the scenario as %s`, async (format) => {
    if (node === undefined)
      return void process.stdout.write(
        `The SDK is not tested on ${name}: its package does not exist for this machine.\n`,
      );
    expectDone(await execute(node, [await scenario(format)], { cwd, env: variablesOf(cluster) }), 1);
  });
});

describe('the quickstart of the README', () => {
  it('has at most 20 lines, compiles and runs', async () => {
    const [, quickstart = ''] =
      /## Quickstart[\s\S]*?```ts\n([\s\S]*?)```/.exec(readFileSync(join(packed, 'README.md'), 'utf8')) ?? [];
    expect(quickstart.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
    const project = join(cwd, 'quickstart');
    mkdirSync(project);
    writeFileSync(join(project, 'quickstart.ts'), quickstart);
    const compilerOptions = {
      strict: true,
      target: 'es2022',
      module: 'nodenext',
      outDir: '.',
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['quickstart.ts'] }));
    await execute(process.execPath, [tool('typescript/bin/tsc'), '-p', '.'], { cwd: project });
    const output = await execute(process.execPath, ['quickstart.js'], { cwd: project, env: variablesOf(cluster) });
    expect(output).toMatch(/^[0-9a-f-]{36} 000201/);
  });
});

describe('the packed SDK in an edge runtime', () => {
  it('runs the scenario with only the web platform', async () => {
    const { build } = await import('esbuild');
    const bundle = (entry: string) =>
      build({
        entryPoints: [entry],
        outfile: join(cwd, 'edge.js'),
        bundle: true,
        platform: 'neutral',
        mainFields: ['module', 'main'],
        conditions: ['edge-light', 'worker'],
        format: 'iife',
      });
    cpSync(SCENARIOS, join(cwd, 'scenarios'), { recursive: true });
    await bundle(join(cwd, 'scenarios/edge.ts'));
    const output = await runModule(`
      import { generateKeyPairSync } from 'node:crypto';
      import { readFileSync } from 'node:fs';
      import { EdgeVM } from '@edge-runtime/vm';
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const vm = new EdgeVM();
      vm.context.given = {
        ...${JSON.stringify(variablesOf(cluster))},
        pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
      vm.evaluate(readFileSync(${JSON.stringify(join(cwd, 'edge.js'))}, 'utf8'));
      console.log(await vm.context.outcome);`);
    expectDone(output, 1);
  });
});

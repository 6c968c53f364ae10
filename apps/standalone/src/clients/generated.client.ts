import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { build } from 'esbuild';
import type { InProcessCluster } from '../e2e/testing/in-process';
import { startInProcess } from '../e2e/testing/in-process';
import { execute, expectDone, nodeOf, ROOT, SCENARIOS, tool, TOOLS, variablesOf } from './tools';

/** The generators need a newer Node than their clients do. */
const GENERATOR_NODE = nodeOf(24) ?? process.execPath;

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: 'es2022',
    module: 'preserve',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    noEmit: true,
    skipLibCheck: true,
  },
  include: ['*.ts', 'client/**/*.ts'],
};

interface Generator {
  readonly name: string;
  readonly files: number;
  readonly args: (folder: string) => readonly string[];
}

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    files: 2,
    args: () => [tool('openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'client/schema.ts'],
  },
  {
    name: 'hey-api',
    files: 1,
    args: () => [
      tool('@hey-api/openapi-ts/bin/run.js'),
      '-i',
      'openapi.json',
      '-o',
      'client',
      '-c',
      '@hey-api/client-fetch',
    ],
  },
  { name: 'orval', files: 2, args: () => [tool('orval/dist/bin/orval.mjs'), '--config', 'orval.config.mjs'] },
];

let cluster: InProcessCluster;
let document: string;
const folders: { remove(): void }[] = [];
beforeAll(async () => {
  cluster = await startInProcess({});
  document = await (await fetch(`${cluster.sandbox['base-url']}/openapi.json`)).text();
});
afterAll(async () => {
  for (const folder of folders) folder.remove();
  await cluster.close();
});

/** A project with the document, the scenario and the tools' packages. */
function project(name: string): string {
  const folder = temporaryFolder();
  folders.push(folder);
  writeFileSync(join(folder.path, 'openapi.json'), document);
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  for (const file of ['sandbox.ts', `${name}.ts`]) cpSync(join(SCENARIOS, file), join(folder.path, file));
  cpSync(join(ROOT, 'deploy/clients/orval.config.mjs'), join(folder.path, 'orval.config.mjs'));
  symlinkSync(join(TOOLS, 'node_modules'), join(folder.path, 'node_modules'));
  return folder.path;
}

describe.each(GENERATORS)('a client that $name generates', ({ name, files, args }) => {
  it('compiles, and runs against the sandbox, uploads included', async () => {
    const cwd = project(name);
    const env = { ...variablesOf(cluster), PONTE_DOCUMENT: join(cwd, 'openapi.json') };
    await execute(GENERATOR_NODE, args(cwd), { cwd, env });
    await execute(process.execPath, [tool('typescript/bin/tsc'), '-p', '.'], { cwd });
    const outfile = join(cwd, 'scenario.mjs');
    await build({
      entryPoints: [join(cwd, `${name}.ts`)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      absWorkingDir: cwd,
    });
    expectDone(await execute(process.execPath, [outfile], { cwd, env }), files);
  });
});

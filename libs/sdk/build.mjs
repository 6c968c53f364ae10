/**
 * Builds the published package: node libs/sdk/build.mjs → dist/libs/sdk, ready for `npm pack`.
 *
 * There is one file per module system. The CommonJS build includes `jose`, which is available only as an ES module. The
 * types are written twice, because resolvers use `.d.ts` files of this package for ES modules and `.d.cts` files for
 * CommonJS.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';

const source = import.meta.dirname;
const root = path.resolve(source, '../..');
const out = path.join(root, 'dist/libs/sdk');
const dist = path.join(out, 'dist');
const entry = path.join(source, 'src/index.ts');

const read = (file) => readFileSync(file, 'utf8');
const manifest = JSON.parse(read(path.join(source, 'package.json')));
const locked = JSON.parse(read(path.join(root, 'package.json')));

/** Every dependency range must be the version that the repository tests. */
for (const [name, range] of Object.entries(manifest.dependencies)) {
  const tested = locked.dependencies[name] ?? locked.devDependencies[name];
  if (range !== `^${tested}`) throw new Error(`libs/sdk/package.json: ${name} must be ^${tested}, the tested version`);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const common = {
  entryPoints: [entry],
  bundle: true,
  platform: 'neutral',
  target: 'es2022',
  mainFields: ['module', 'main'],
};
await build({ ...common, format: 'esm', outfile: path.join(dist, 'index.js'), packages: 'external' });
await build({ ...common, format: 'cjs', outfile: path.join(dist, 'index.cjs'), external: ['eventsource-parser'] });

/** @returns {Map<string, string>} the declarations reachable from the index, by their path below `src` */
function declarations() {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(source, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    source,
  );
  const program = ts.createProgram([entry], {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    removeComments: false,
  });
  const problems = ts.getPreEmitDiagnostics(program);
  if (problems.length > 0)
    throw new Error(
      ts.formatDiagnostics(problems, {
        getCanonicalFileName: (f) => f,
        getCurrentDirectory: () => root,
        getNewLine: () => '\n',
      }),
    );
  const emitted = new Map();
  program.emit(undefined, (file, text) =>
    emitted.set(path.relative(path.join(source, 'src'), file.replace(/\.d\.ts$/, '')), text),
  );
  const kept = new Map();
  const visit = (module) => {
    if (kept.has(module)) return;
    kept.set(module, emitted.get(module));
    for (const [, specifier] of kept.get(module).matchAll(RELATIVE)) visit(path.join(path.dirname(module), specifier));
  };
  visit('index');
  return kept;
}

const RELATIVE = /from '(\.{1,2}\/[^']+)'/g;

const files = declarations();
for (const [system, types] of [
  ['js', 'd.ts'],
  ['cjs', 'd.cts'],
]) {
  for (const [module, text] of files) {
    const file = path.join(dist, `${module}.${types}`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text.replace(RELATIVE, `from '$1.${system}'`));
  }
}

const jose = path.join(root, 'node_modules/jose');
const { version } = JSON.parse(read(path.join(jose, 'package.json')));
writeFileSync(
  path.join(out, 'THIRD-PARTY-LICENSES.txt'),
  `dist/index.cjs contains jose ${version}:\n\n${read(path.join(jose, 'LICENSE.md'))}`,
);
copyFileSync(path.join(source, 'README.md'), path.join(out, 'README.md'));
writeFileSync(path.join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

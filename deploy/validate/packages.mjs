// An image contains the packages of the pruned package.json, which has only `dependencies`. So every package that a
// bundle does not include must be listed there.
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import esbuild from 'esbuild';
import { ROOT } from './helm.mjs';

const LIBRARIES = readdirSync(join(ROOT, 'libs'));

export const readPackage = () => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Packages that the bundle of an app, as built by `nx build`, does not include. */
export async function outside(app) {
  const { metafile } = await esbuild.build({
    entryPoints: [join(ROOT, `apps/${app}/src/main.ts`)],
    bundle: true,
    write: false,
    metafile: true,
    outdir: join(ROOT, 'tmp'),
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    tsconfig: join(ROOT, 'tsconfig.base.json'),
    alias: Object.fromEntries(LIBRARIES.map((lib) => [`@ponte/${lib}`, join(ROOT, `libs/${lib}/src/index.ts`)])),
    logLevel: 'silent',
    loader: { '.html': 'text', '.css': 'text' },
  });
  const imports = Object.values(metafile.outputs)
    .flatMap((output) => output.imports)
    .filter(({ external, path }) => external && !isBuiltin(path));
  return [...new Set(imports.map(({ path }) => packageOf(path)))].sort();
}

/** Name of the rule → (package.json, app → packages) → faults. */
export const PACKAGE_RULES = {
  'packages outside a bundle are dependencies': ({ dependencies }, apps) =>
    Object.entries(apps).flatMap(([app, names]) =>
      names
        .filter((name) => !(name in dependencies))
        .map((name) => `${app}: ${name} is missing or is a development dependency, so images do not contain it`),
    ),
};

/** [rule, description, how the mistake is planted]. */
export const PACKAGES_PLANTED = [
  [
    'packages outside a bundle are dependencies',
    'a development dependency in a bundle',
    (json) => {
      delete json.dependencies.kafkajs;
    },
  ],
];

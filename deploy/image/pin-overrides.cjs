// node pin-overrides.cjs <package.json of the workspace> <pruned package.json>: restores the npm overrides in the
// package.json of a pruned app, each as a fixed version. The pruned lock file was resolved with the overrides of the
// workspace, but Nx omits overrides of direct dependencies, and a reference such as "$fastify" is invalid if the app
// has no such dependency. Without the overrides npm ci refuses the lock file.
const { readFileSync, writeFileSync } = require('node:fs');

const [workspace, app] = process.argv.slice(2, 4).map((file) => JSON.parse(readFileSync(file, 'utf8')));

const versions = { ...workspace.devDependencies, ...workspace.dependencies };

const versionOf = (name, to) => {
  if (typeof to === 'object') return pinned(to);
  const version = to.startsWith('$') ? versions[to.slice(1)] : to;
  if (version === undefined) throw new Error(`the override of ${name} refers to ${to}, which is not a dependency`);
  return version;
};
const pinned = (overrides) =>
  Object.fromEntries(Object.entries(overrides).map(([name, to]) => [name, versionOf(name, to)]));

app.overrides = pinned(workspace.overrides ?? {});
writeFileSync(process.argv[3], `${JSON.stringify(app, null, 2)}\n`);

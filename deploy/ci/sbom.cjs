// `npm run sbom` writes the installed packages (CycloneDX) and their licences to dist/sbom. It fails if a shipped
// package has a licence that is not allowed or states none. Tools that only developers run are listed but not checked.
// The guides, which the gateway serves, are bundled from packages of their own lock file; all of these are checked.
const { execFileSync } = require('node:child_process');
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { componentsIn, licenceFaults, licenceOf } = require('./licences.cjs');

const ROOT = resolve(__dirname, '../..');
const TARGET = join(ROOT, 'dist/sbom');

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const sbom = (...more) => {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', ...more];
  return JSON.parse(execFileSync(npm, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }));
};

const shipped = sbom('--omit', 'dev');
const all = sbom();
const guides = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  components: componentsIn(JSON.parse(readFileSync(join(ROOT, 'docs/site/package-lock.json'), 'utf8'))),
};
mkdirSync(TARGET, { recursive: true });
writeFileSync(join(TARGET, 'shipped.cdx.json'), JSON.stringify(shipped, null, 2));
writeFileSync(join(TARGET, 'guides.cdx.json'), JSON.stringify(guides, null, 2));
writeFileSync(join(TARGET, 'all.cdx.json'), JSON.stringify(all, null, 2));
const lines = [...all.components, ...guides.components].map(
  (one) => `${licenceOf(one) ?? 'none'}\t${one.name}\t${one.version}`,
);
writeFileSync(join(TARGET, 'licences.tsv'), `licence\tpackage\tversion\n${lines.sort().join('\n')}\n`);

if (shipped.components.length === 0 || guides.components.length === 0) throw new Error('a document lists no package');
const faults = licenceFaults([...shipped.components, ...guides.components]);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(
  `${shipped.components.length} packages are shipped, and the guides are made with ${guides.components.length}; the lists are in dist/sbom\n`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

// Refuses to release what is not pinned by digest: node deploy/validate/release.mjs [folder of values]. A tag can be moved to another image; a digest cannot.
// The values of this repository are examples without digests, so this is a check of a release and no part of deploy:check.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ROOT = resolve(dirnameOf(import.meta.url), '../..');
const folder = resolve(process.argv[2] ?? join(ROOT, 'deploy/values'));
const DIGEST = /^sha256:[0-9a-f]{64}$/;

const valuesOf = (file) => (existsSync(file) ? (parse(readFileSync(file, 'utf8')) ?? {}) : {});
const common = valuesOf(join(folder, 'common.yaml'));
const faults = [];

for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml') && !['common.yaml', 'platform.yaml'].includes(name)).sort()) {
  const { image = {} } = valuesOf(join(folder, file));
  if (!DIGEST.test(image.digest ?? '')) faults.push(`${file}: image.digest must be the sha256 digest of ${common.image?.repository ?? 'the registry'}/${basename(file, '.yaml')}, as the registry reports it after the push`);
}
if (common.image?.digest) faults.push('common.yaml: image.digest belongs to one image, so each service has its own');
if (common.image?.requireDigest !== true) faults.push('common.yaml: image.requireDigest must be true, so that the chart refuses a tag');

for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length === 0) process.stdout.write('every image is pinned by digest\n');
process.exit(faults.length === 0 ? 0 : 1);

function dirnameOf(url) {
  return fileURLToPath(new URL('.', url));
}

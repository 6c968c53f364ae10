// Refuses to release images that are not pinned by digest: node deploy/validate/release.mjs [folder of values] [file of
// images]. A tag can be moved to another image; a digest cannot. `--pins` prints what a release uses instead of the
// tags: arguments of docker build, and an override for compose.yaml. The values of this repository are examples without
// digests, so this is not part of deploy:check.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const ROOT = resolve(dirnameOf(import.meta.url), '../..');
const words = process.argv.slice(2).filter((word) => word !== '--pins');
const folder = resolve(words[0] ?? join(ROOT, 'deploy/values'));
const images = parse(readFileSync(resolve(words[1] ?? join(ROOT, 'deploy/images.yaml')), 'utf8')).images;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

const valuesOf = (file) => (existsSync(file) ? (parse(readFileSync(file, 'utf8')) ?? {}) : {});
const common = valuesOf(join(folder, 'common.yaml'));
const faults = [];

for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('.yaml') && !['common.yaml', 'platform.yaml'].includes(name))
  .sort()) {
  const { image = {} } = valuesOf(join(folder, file));
  if (!DIGEST.test(image.digest ?? ''))
    faults.push(
      `${file}: image.digest must be the sha256 digest of ` +
        `${common.image?.repository ?? 'the registry'}/${basename(file, '.yaml')}, ` +
        'as the registry reports it after the push',
    );
}
if (common.image?.digest) faults.push('common.yaml: image.digest belongs to one image, so each service has its own');
if (common.image?.requireDigest !== true)
  faults.push('common.yaml: image.requireDigest must be true, so that the chart refuses a tag');

for (const { image, digest } of images)
  if (!DIGEST.test(digest ?? ''))
    faults.push(`images.yaml: ${image} must have the sha256 digest that its registry reports`);

if (faults.length === 0 && process.argv.includes('--pins')) process.stdout.write(pins());
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length === 0 && !process.argv.includes('--pins')) process.stdout.write('every image is pinned by digest\n');
process.exit(faults.length === 0 ? 0 : 1);

/** BUILD_IMAGE and RUNTIME_IMAGE as comments, and services of compose.yaml by their digests. */
function pins() {
  const pinned = new Map(images.map(({ image, digest }) => [image, `${image}@${digest}`]));
  const [build, runtime] = images.filter(({ used }) => used === 'build').map(({ image }) => pinned.get(image));
  const { services } = parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'), { merge: true });
  const lines = Object.entries(services)
    .map(([name, { image }]) => [name, pinned.get(image.split('@')[0])])
    .filter(([, image]) => image !== undefined)
    .map(([name, image]) => `  ${name}: {image: "${image}"}`);
  return [
    `# docker build --build-arg BUILD_IMAGE=${build} --build-arg RUNTIME_IMAGE=${runtime}`,
    'services:',
    ...lines,
    '',
  ].join('\n');
}

function dirnameOf(url) {
  return fileURLToPath(new URL('.', url));
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const folder = mkdtempSync(join(tmpdir(), 'ponte-values-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the check on these files. Returns its exit code and the settings that it complains about. */
function checked(files: Readonly<Record<string, string>>): [number | null, string[]] {
  for (const [name, text] of Object.entries({ 'images.txt': listed(DIGEST), ...files }))
    writeFileSync(join(folder, name), text);
  const { status, stderr } = spawnSync(process.execPath, [join(__dirname, '../validate/release.mjs'), folder, IMAGES], {
    encoding: 'utf8',
  });
  return [
    status,
    stderr
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' must ')[0] ?? ''),
  ];
}

const IMAGES = join(folder, 'images.txt');
const listed = (digest: string): string => `images:
  - {image: "node:24-bookworm-slim", used: build, digest: "${DIGEST}"}
  - {image: "gcr.io/distroless/nodejs24-debian13:nonroot", used: build, digest: "${DIGEST}"}
  - {image: "postgres:17.6-bookworm", used: compose, digest: "${digest}"}
`;

test('a release needs a digest for every third-party image and pins the images to it', () => {
  const values = mkdtempSync(join(tmpdir(), 'ponte-values-'));
  writeFileSync(join(values, 'common.yaml'), 'image: {requireDigest: true}');
  const run = (digest: string) => {
    writeFileSync(IMAGES, listed(digest));
    return spawnSync(process.execPath, [join(__dirname, '../validate/release.mjs'), values, IMAGES, '--pins'], {
      encoding: 'utf8',
    });
  };
  const refused = run('');
  expect([refused.status, refused.stdout, refused.stderr]).toEqual([
    1,
    '',
    'images.yaml: postgres:17.6-bookworm must have the sha256 digest that its registry reports\n',
  ]);
  const { status, stdout } = run(DIGEST);
  expect(status).toBe(0);
  const build = `BUILD_IMAGE=node:24-bookworm-slim@${DIGEST}`;
  const runtime = `RUNTIME_IMAGE=gcr.io/distroless/nodejs24-debian13:nonroot@${DIGEST}`;
  expect(stdout).toBe(`# docker build --build-arg ${build} --build-arg ${runtime}
services:
  postgres: {image: "postgres:17.6-bookworm@${DIGEST}"}
`);
  rmSync(values, { recursive: true, force: true });
});

test('a release needs a digest for every image and a chart that refuses tags', () => {
  const common = 'image: {repository: registry.example/ponte, requireDigest: true}';
  expect(
    checked({
      'common.yaml': common,
      'platform.yaml': 'workload: false',
      'orders.yaml': `image: {digest: "${DIGEST}"}`,
      'ledger.yaml': 'image: {tag: "1.2.3"}',
    }),
  ).toEqual([1, ['ledger.yaml: image.digest']]);
  expect(checked({ 'ledger.yaml': 'image: {digest: "sha256:short"}' })).toEqual([1, ['ledger.yaml: image.digest']]);
  expect(checked({ 'ledger.yaml': `image: {digest: "${DIGEST}"}` })).toEqual([0, []]);
  expect(checked({ 'common.yaml': 'image: {repository: registry.example/ponte}' })).toEqual([
    1,
    ['common.yaml: image.requireDigest'],
  ]);
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const folder = mkdtempSync(join(tmpdir(), 'ponte-values-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Exit code and complaints of the check for these files. */
function checked(files: Readonly<Record<string, string>>): [number | null, string[]] {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { status, stderr } = spawnSync(process.execPath, [join(__dirname, '../validate/release.mjs'), folder], { encoding: 'utf8' });
  return [status, stderr.split('\n').filter((line) => line !== '').map((line) => line.split(' must ')[0] ?? '')];
}

test('a release needs a digest for every image and a chart that refuses tags', () => {
  const common = 'image: {repository: registry.example/ponte, requireDigest: true}';
  expect(checked({ 'common.yaml': common, 'platform.yaml': 'workload: false', 'orders.yaml': `image: {digest: "${DIGEST}"}`, 'ledger.yaml': 'image: {tag: "1.2.3"}' })).toEqual([1, ['ledger.yaml: image.digest']]);
  expect(checked({ 'ledger.yaml': 'image: {digest: "sha256:short"}' })).toEqual([1, ['ledger.yaml: image.digest']]);
  expect(checked({ 'ledger.yaml': `image: {digest: "${DIGEST}"}` })).toEqual([0, []]);
  expect(checked({ 'common.yaml': 'image: {repository: registry.example/ponte}' })).toEqual([1, ['common.yaml: image.requireDigest']]);
});

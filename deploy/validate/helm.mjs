// Helm, whatever the machine has: the one on PATH when it is version 3, else the pinned one, built once by Go from its module proxy.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const HELM_VERSION = 'v3.19.5';
const CACHE = join(ROOT, 'node_modules/.cache', `ponte-helm-${HELM_VERSION}`);
/** Twenty times what it takes on two cores. */
const BUILD_MS = 30 * 60_000;

/** Path of a Helm 3. Throws one line that says how to get one. */
export function helm() {
  if (speaksThree('helm')) return 'helm';
  const own = join(CACHE, 'helm');
  if (existsSync(own)) return own;
  if (answer('go', ['version']) === undefined) throw new Error('neither Helm 3 nor Go is on PATH: install one of them (apt-get install golang-go, or helm from its releases) and try again');
  process.stderr.write(`building Helm ${HELM_VERSION} by Go, once; it takes some minutes\n`);
  mkdirSync(CACHE, { recursive: true });
  execFileSync('go', ['install', '-trimpath', `helm.sh/helm/v3/cmd/helm@${HELM_VERSION}`], {
    cwd: CACHE, timeout: BUILD_MS, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, GOBIN: CACHE, GOFLAGS: '', CGO_ENABLED: '0' },
  });
  return own;
}

const speaksThree = (command) => answer(command, ['version', '--short'])?.startsWith('v3.') ?? false;

function answer(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

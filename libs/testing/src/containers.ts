import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const PACKAGE = resolve(__dirname, '../containers');
const START = join(PACKAGE, 'start.cjs');
const INSTALL = resolve(__dirname, '../../../deploy/build/install-tools.cjs');
const PROBE_MS = 30_000;

/** Where container engines listen: Docker, Docker Desktop, rootless Docker and Podman. */
const sockets = (environment: NodeJS.ProcessEnv): string[] => {
  const user = environment['XDG_RUNTIME_DIR'] ?? '/run/user/none';
  return [
    '/var/run/docker.sock',
    join(homedir(), '.docker/run/docker.sock'),
    join(user, 'docker.sock'),
    join(user, 'podman/podman.sock'),
  ];
};

/**
 * Whether something suggests a container engine: a socket of one, or a setting of Docker or of testcontainers. A cheap
 * check, so that testcontainers is installed only where it can be of use.
 */
export const mayHaveContainers = (environment = process.env, exists: (path: string) => boolean = existsSync): boolean =>
  process.platform === 'win32' ||
  Boolean(environment['DOCKER_HOST'] ?? environment['TESTCONTAINERS_HOST_OVERRIDE']) ||
  exists(join(homedir(), '.testcontainers.properties')) ||
  sockets(environment).some((path) => exists(path));

let found: boolean | undefined;

/**
 * Whether containers can be started here. Synchronous, since a suite must know before its first test is named. Installs
 * testcontainers when a container engine seems to be there.
 */
export function hasContainerRuntime(): boolean {
  found ??= mayHaveContainers() && install() && probe();
  return found;
}

const probe = (): boolean => spawnSync(process.execPath, [START], { stdio: 'ignore', timeout: PROBE_MS }).status === 0;

function install(): true {
  execFileSync(process.execPath, [INSTALL, 'libs/testing/containers'], { stdio: ['ignore', 'ignore', 'inherit'] });
  return true;
}

/** The functions that start engines in containers. Call only when {@link hasContainerRuntime}. */
export const containers = (): Promise<typeof import('../containers/start.cjs')> => import('../containers/start.cjs');

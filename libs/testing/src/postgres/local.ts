import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../temporary-folder';
import { serverVersion } from './ask';
import { freePort } from '../free-port';
import type { KeptPostgres, PostgresWatch } from './index';
import type { Owner, PostgresSecurity } from './security';
import { admission, securedUrl, tlsOf } from './security';

const DEBIAN = '/usr/lib/postgresql';
const STARTUP_MS = 30_000;
const RETRY_MS = 50;
/** PostgreSQL does not run as root. Debian's package creates the first of these users; every system has the other. */
const USERS = ['postgres', 'nobody'];
/**
 * Stops the server when the pipe to its parent closes, so that no server outlives a killed test run. Ends when the
 * server does. SIGINT is the server's fast shutdown.
 */
const WATCHED =
  'exec 3<&0; "$@" 3<&- & server=$!; (cat <&3 > /dev/null; kill -INT $server 2> /dev/null) & wait $server; kill $! 2> /dev/null';

/** The folder with `initdb` and `postgres` of the newest version of Debian's package. */
export function findBinaries(): string | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const versions = readdirSync(DEBIAN)
    .map(Number)
    .filter(Number.isFinite)
    .sort((a, b) => b - a);
  return versions
    .map((version) => join(DEBIAN, String(version), 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/**
 * Starts a server on the loopback interface, with fsync and with a collation that does not sort by bytes, as many
 * servers have. Its data stays in `kept`, or is removed on stop without it.
 */
export async function startLocal(binaries: string, kept?: string, security?: PostgresSecurity): Promise<KeptPostgres> {
  const folder = kept === undefined ? temporaryFolder() : { path: kept, remove: () => undefined };
  mkdirSync(folder.path, { recursive: true });
  const owner = unprivileged();
  if (owner) chownSync(folder.path, owner.uid, owner.gid);
  const data = join(folder.path, 'data');
  const place: ServerPaths = { binaries, folder: folder.path, data, owner, security };
  if (!existsSync(join(data, 'PG_VERSION'))) initialize(place);
  const port = await freePort();
  const url = security ? securedUrl(port, folder.path, security) : `postgres://ponte@127.0.0.1:${port}/postgres`;
  const server = new LocalServer(place, port, url);
  const version = await server.restart();
  const stop = async (): Promise<void> => {
    await server.stop();
    folder.remove();
  };
  return {
    url,
    name: `PostgreSQL ${version} (${binaries})`,
    kill: () => server.kill(),
    restart: async () => void (await server.restart()),
    stop,
    supervised: (by) => {
      server.watch(by);
      return stop;
    },
  };
}

/** Where a server's programs and data are. */
interface ServerPaths {
  readonly binaries: string;
  readonly folder: string;
  readonly data: string;
  readonly owner: Owner | undefined;
  readonly security: PostgresSecurity | undefined;
}

/** Creates the data folder of a server. */
function initialize({ binaries, folder, data, owner, security }: ServerPaths): void {
  execFileSync(
    join(binaries, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'ponte',
      ...admission(folder, security, owner),
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--locale-provider=icu',
      '--icu-locale=en-US',
      '--no-sync',
    ],
    { ...owner, stdio: 'ignore', cwd: folder },
  );
}

/** A server that can be killed and started again on the same port. */
class LocalServer {
  private watcher: ChildProcess | undefined;
  private stopped = false;
  private readonly settings: Readonly<Record<string, string | number>>;

  constructor(
    private readonly place: ServerPaths,
    port: number,
    private readonly url: string,
  ) {
    const { folder, data, security } = place;
    this.settings = {
      ...(security && tlsOf(folder, data)),
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: folder,
      shared_buffers: '32MB',
      max_connections: 200,
    };
  }

  /**
   * Starts the server and returns its version. The children of a killed server hold its resources for a moment, and it
   * does not start until then.
   */
  async restart(): Promise<string> {
    const deadline = Date.now() + STARTUP_MS;
    for (;;) {
      const started = (this.watcher = this.spawned());
      try {
        return await serverVersion(this.url, STARTUP_MS, () => hasEnded(started));
      } catch (error) {
        if (this.stopped || Date.now() >= deadline) throw error;
        await pause(RETRY_MS);
      }
    }
  }

  async kill(): Promise<void> {
    process.kill(postmaster(this.place.data), 'SIGKILL');
    await ended(this.watcher);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await ended(this.watcher);
  }

  /** Tells `by` when the server starts and ends, and starts it again whenever it has ended by itself. */
  watch(by: PostgresWatch): void {
    by.started({ pid: postmaster(this.place.data) });
    this.watcher?.once('exit', () => {
      if (this.stopped) return;
      by.ended();
      this.restart().then(
        () => this.watch(by),
        () => undefined,
      );
    });
  }

  private spawned(): ChildProcess {
    const { binaries, data, owner, folder } = this.place;
    const settings = Object.entries(this.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return spawn('/bin/sh', ['-c', WATCHED, 'sh', join(binaries, 'postgres'), '-D', data, ...settings], {
      ...owner,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: folder,
    });
  }
}

/** The user to run the server as, undefined for the current one. */
function unprivileged(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = USERS.map((user) => accounts.find(([name]) => name === user)).find(Boolean) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

const postmaster = (data: string): number => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);

const hasEnded = (watcher: ChildProcess): boolean => watcher.exitCode !== null || watcher.signalCode !== null;

async function ended(watcher: ChildProcess | undefined): Promise<void> {
  if (watcher === undefined || hasEnded(watcher)) return;
  const closed = new Promise((resolve) => {
    watcher.once('exit', resolve);
  });
  watcher.stdin?.destroy();
  await closed;
}

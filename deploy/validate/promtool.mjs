// Finds promtool: on PATH, otherwise the one in Debian's package `prometheus`, which is unpacked and not installed,
// because an installation starts a server.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './helm.mjs';

const CACHES = join(ROOT, 'node_modules/.cache');
const CACHED = join(CACHES, 'ponte-promtool');
const FETCH_MS = 5 * 60_000;

/** Returns the path of promtool. Throws a one-line error that says how to install it. */
export function promtool() {
  if (runs('promtool')) return 'promtool';
  if (!existsSync(CACHED)) unpack();
  return CACHED;
}

function unpack() {
  mkdirSync(CACHES, { recursive: true });
  const work = mkdtempSync(join(CACHES, 'promtool-'));
  const run = (command, ...args) =>
    execFileSync(command, args, { cwd: work, timeout: FETCH_MS, stdio: ['ignore', 'ignore', 'pipe'] });
  const download = () => run('apt-get', 'download', '-qq', 'prometheus');
  try {
    try {
      download();
    } catch {
      // A new machine has no lists of packages.
      run('apt-get', 'update', '-qq');
      download();
    }
    const [archive = ''] = readdirSync(work);
    run('dpkg-deb', '--extract', archive, 'package');
    renameSync(join(work, 'package/usr/bin/promtool'), CACHED);
  } catch (error) {
    const [reason] = error.message.split('\n');
    throw new Error(
      `promtool is not on PATH, and Debian's package could not be unpacked (${reason}): install Prometheus`,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function runs(command) {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

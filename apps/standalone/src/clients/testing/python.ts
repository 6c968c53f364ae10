import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from './tools';

/** Finds a Python 3.11 or later with venv and pip. Returns undefined if it is not found; in CI it throws instead. */
export function findPython(): string | undefined {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  const found = ['python3', 'python'].find((name) => spawnSync(name, ['-c', check], { stdio: 'ignore' }).status === 0);
  if (found === undefined && process.env['CI'])
    throw new Error('Python 3.11 or later with venv and pip is missing: see deploy/ci/packages.sh');
  return found;
}

/**
 * Creates a virtual environment with the packages of a requirements file, again when the pinned versions change.
 * Returns its folder of programs.
 */
export async function installPackages(python: string, requirements: string, environment: string): Promise<string> {
  const [pins, stamp] = [readFileSync(requirements, 'utf8'), join(environment, '.installed')];
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== pins) {
    mkdirSync(environment, { recursive: true });
    await execute(python, ['-m', 'venv', '--clear', environment], { cwd: environment });
    const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes', '-r', requirements];
    await execute(join(environment, 'bin/pip'), ['install', ...options], { cwd: environment });
    writeFileSync(stamp, pins);
  }
  return join(environment, 'bin');
}

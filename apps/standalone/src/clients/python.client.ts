import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import type { InProcessCluster } from '../e2e/in-process';
import { startInProcess } from '../e2e/in-process';
import { execute, expectDone, ROOT, SCENARIOS, TOOLS, variablesOf } from './tools';

const REQUIREMENTS = join(ROOT, 'deploy/clients/python/requirements.txt');
const VENV = join(TOOLS, 'python');

/** The generator's client needs 3.11. Undefined when Python, its venv or pip is missing. */
function python(): string | undefined {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  return ['python3', 'python'].find((name) => spawnSync(name, ['-c', check], { stdio: 'ignore' }).status === 0);
}

const interpreter = python();
if (interpreter === undefined)
  process.stdout.write('The Python client is not tested: Python 3.11 or later with venv and pip is missing.\n');

/** The generator and the run-time packages of its clients, installed again when the pins change. */
async function install(): Promise<void> {
  const pins = readFileSync(REQUIREMENTS, 'utf8');
  const stamp = join(VENV, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === pins) return;
  await execute(interpreter ?? '', ['-m', 'venv', '--clear', VENV], { cwd: TOOLS });
  await execute(
    join(VENV, 'bin/pip'),
    ['install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', REQUIREMENTS],
    { cwd: TOOLS },
  );
  writeFileSync(stamp, pins);
}

(interpreter === undefined ? describe.skip : describe)('a client that openapi-python-client generates', () => {
  const folder = temporaryFolder();
  let cluster: InProcessCluster;
  beforeAll(async () => {
    await install();
    cluster = await startInProcess({});
  });
  afterAll(async () => {
    folder.remove();
    await cluster.close();
  });

  it('leaves out no operation, installs, and runs against the sandbox, uploads included', async () => {
    const cwd = folder.path;
    const document = await (await fetch(`${cluster.sandbox['base-url']}/openapi.json`)).text();
    writeFileSync(join(cwd, 'openapi.json'), document);
    const bin = join(VENV, 'bin');
    const PATH = `${bin}:${process.env['PATH'] ?? ''}`;
    const arguments_ = [
      'generate',
      '--path',
      'openapi.json',
      '--meta',
      'setup',
      '--output-path',
      'client',
      '--fail-on-warning',
    ];
    await execute(join(bin, 'openapi-python-client'), arguments_, { cwd, env: { PATH } });
    await execute(
      join(bin, 'pip'),
      [
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '--no-deps',
        '--no-build-isolation',
        '--target',
        'site',
        './client',
      ],
      { cwd },
    );
    const env = { ...variablesOf(cluster), PYTHONPATH: join(cwd, 'site') };
    expectDone(await execute(join(bin, 'python'), [join(SCENARIOS, 'python.py')], { cwd, env }), 2);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import type { InProcessCluster } from '../e2e/testing/in-process';
import { startInProcess } from '../e2e/testing/in-process';
import { findPython, installPackages } from './python';
import { execute, expectDone, ROOT, SCENARIOS, TOOLS, variablesOf } from './tools';

const REQUIREMENTS = join(ROOT, 'deploy/clients/python/requirements.txt');

const interpreter = findPython();
if (interpreter === undefined)
  process.stdout.write('The Python client is not tested: Python 3.11 or later with venv and pip is missing.\n');

(interpreter === undefined ? describe.skip : describe)('a client that openapi-python-client generates', () => {
  const folder = temporaryFolder();
  let cluster: InProcessCluster;
  let bin: string;
  beforeAll(async () => {
    bin = await installPackages(interpreter ?? '', REQUIREMENTS, join(TOOLS, 'python'));
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

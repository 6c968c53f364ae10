import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManagementDocuments } from '@ponte/observability';
import { MANAGEMENT_DOCUMENTS } from '@ponte/nest';
import { temporaryFolder } from '@ponte/testing';
import type { InProcessCluster } from '../e2e/testing/in-process';
import { startInProcess } from '../e2e/testing/in-process';
import { signIn } from '../e2e/testing/staff';
import { findPython, installPackages } from './testing/python';
import { execute, ROOT, TOOLS, variablesOf } from './testing/tools';

interface StaffDocument {
  readonly paths: Record<
    string,
    Record<string, { readonly operationId: string; readonly 'x-roles'?: readonly string[] }>
  >;
}

const SETTINGS = join(ROOT, 'deploy/clients/schemathesis');
/**
 * Random requests per operation, in addition to those that cover its schema; `SCHEMATHESIS_EXAMPLES=200` tests more
 * deeply.
 */
const EXAMPLES = process.env['SCHEMATHESIS_EXAMPLES'] ?? '5';

const python = findPython();
if (python === undefined)
  process.stdout.write(
    'The OpenAPI documents are not tested: schemathesis needs Python 3.11 or later with venv and pip.\n',
  );

(python === undefined ? describe.skip : describe)('schemathesis', () => {
  const folder = temporaryFolder();
  let bin: string;
  let cluster: InProcessCluster;
  beforeAll(async () => {
    bin = await installPackages(python ?? '', join(SETTINGS, 'requirements.txt'), join(TOOLS, 'schemathesis'));
  });
  afterAll(() => folder.remove());
  // Each run gets a new cluster, because changes made by one run, such as a frozen account, would affect the next.
  beforeEach(async () => {
    cluster = await startInProcess({});
  });
  afterEach(() => cluster.close());

  /** Runs every check of every phase. Rejects with the findings. */
  async function run(
    name: 'partner' | 'staff',
    document: string,
    env: Record<string, string>,
    ids: readonly string[] = [],
  ): Promise<string> {
    const file = join(folder.path, `${name}.json`);
    writeFileSync(file, document);
    const phases = ['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', EXAMPLES];
    return execute(
      join(bin, 'schemathesis'),
      [
        '--config-file',
        join(SETTINGS, `${name}.toml`),
        'run',
        '--no-color',
        ...phases,
        ...ids.flatMap((id) => ['--include-operation-id', id]),
        file,
      ],
      {
        cwd: folder.path,
        env: { ...variablesOf(cluster), PYTHONPATH: SETTINGS, PYTHONDONTWRITEBYTECODE: '1', ...env },
      },
    );
  }

  it('finds no defect in the partner document', async () => {
    const document = await (await fetch(`${cluster.sandbox['base-url']}/openapi.json`)).text();
    expect(await run('partner', document, { PONTE_RELIANCE_API_KEY: cluster.sandbox['reliance-api-key'] })).toMatch(
      /Tested: [1-9]/,
    );
  });

  it.each([
    ['compliance-approver', () => true],
    // The operations that an approver may not use.
    ['operator', (roles: readonly string[]) => roles.length > 0 && !roles.includes('compliance-approver')],
  ] as const)('finds no defect in the staff document when signed in as %s', async (role, takes) => {
    const { sandbox, dataDirectory, app } = cluster;
    const member = sandbox.staff.find((one) => one.role === role);
    const served = app.get<ManagementDocuments>(MANAGEMENT_DOCUMENTS, { strict: false }).get('/staff/openapi.json');
    if (!member || !served) throw new Error(`the sandbox has no ${role}, or no staff document`);
    const document = JSON.parse(String(await served())) as StaffDocument;
    const ids = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .filter((operation) => takes(operation['x-roles'] ?? []))
      .map(({ operationId }) => operationId);
    const { cookie = '', 'x-csrf-token': token = '' } = await signIn(sandbox['base-url'], member);
    const env = {
      PONTE_SESSION: cookie.slice(cookie.indexOf('=') + 1),
      PONTE_TOKEN: token,
      PONTE_STAFF_TOKEN: readFileSync(join(dataDirectory, 'staff-token'), 'utf8').trim(),
    };
    expect(await run('staff', JSON.stringify(document), env, ids)).toMatch(/Tested: [1-9]/);
  });
});

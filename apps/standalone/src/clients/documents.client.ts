import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { servedTexts } from './testing/served-texts';
import { execute, nodeOf, ROOT, tool } from './testing/tools';

const CONFIG = join(ROOT, 'deploy/clients');
const COLLECTION = join(ROOT, 'docs/ponte.postman_collection.json');
const NODE = nodeOf(24) ?? process.execPath;
const folder = temporaryFolder();
const file = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  for (const [name, text] of Object.entries(await servedTexts())) writeFileSync(file(`${name}.json`), text);
  for (const name of ['redocly.yaml', 'spectral.yaml']) copyFileSync(join(CONFIG, name), file(name));
});
afterAll(() => folder.remove());

describe.each(['partner', 'staff'])('the %s document', (name) => {
  it('passes redocly lint', async () => {
    const args = ['lint', '--config', 'redocly.yaml', `${name}.json`];
    const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    await execute(NODE, [tool('@redocly/cli/bin/cli.js'), ...args], { cwd: folder.path, env });
  });

  it('passes spectral, which requires a description of every member', async () => {
    const args = ['lint', `${name}.json`, '-r', 'spectral.yaml', '--fail-severity', 'warn', '--quiet'];
    await execute(NODE, [tool('@stoplight/spectral-cli/dist/index.js'), ...args], { cwd: folder.path });
  });
});

describe.each(['asyncapi', 'partner-asyncapi'])('docs/%s.json', (name) => {
  it('passes the AsyncAPI rules of spectral', async () => {
    writeFileSync(file('asyncapi.yaml'), 'extends: [[spectral:asyncapi, recommended]]\n');
    copyFileSync(join(ROOT, `docs/${name}.json`), file(`${name}.json`));
    const args = ['lint', `${name}.json`, '-r', 'asyncapi.yaml', '--fail-severity', 'error', '--quiet'];
    await execute(NODE, [tool('@stoplight/spectral-cli/dist/index.js'), ...args], { cwd: folder.path });
  });
});

it('redocly refuses an operation without a description', async () => {
  const document = JSON.parse(readFileSync(file('partner.json'), 'utf8')) as {
    paths: Record<string, { get?: { description?: string } }>;
  };
  delete document.paths['/api/v1/pairs']?.get?.description;
  writeFileSync(file('broken.json'), JSON.stringify(document));
  const lint = [tool('@redocly/cli/bin/cli.js'), 'lint', '--config', 'redocly.yaml', 'broken.json'];
  await expect(execute(NODE, lint, { cwd: folder.path, env: { REDOCLY_TELEMETRY: 'off' } })).rejects.toThrow(
    'operation-description',
  );
});

it('the committed Postman collection equals the one generated from the document', async () => {
  await execute(process.execPath, [join(CONFIG, 'collection.cjs'), file('partner.json'), file('collection.json')], {
    cwd: folder.path,
  });
  const made = readFileSync(file('collection.json'), 'utf8');
  if (process.env['PONTE_WRITE_COLLECTION']) writeFileSync(COLLECTION, made);
  expect(readFileSync(COLLECTION, 'utf8') === made).toBe(true);
  expect(made).not.toMatch(/sk_test_|sk_live_/);
});

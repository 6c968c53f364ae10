import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OPERATIONS, Ponte } from '@ponte/sdk';
import { temporaryFolder } from '@ponte/testing';
import type { OpenApi, ServedDocuments } from './served-documents';
import { servedDocuments } from './served-documents';

const SDK = resolve(__dirname, '../../../../libs/sdk');
const FOLDER = join(SDK, 'src/generated');

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** In a process of its own: the generator is an ES module, which jest does not load. */
function generate(served: ServedDocuments): Record<string, string> {
  const folder = temporaryFolder();
  try {
    const [input, output] = [join(folder.path, 'served.json'), join(folder.path, 'generated')];
    writeFileSync(input, JSON.stringify(served));
    mkdirSync(output);
    execFileSync(process.execPath, [join(SDK, 'generate/generate.cjs'), output, input]);
    return filesIn(output);
  } finally {
    folder.remove();
  }
}

const camel = (id: string): string => id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

let document: OpenApi;
let generated: Record<string, string>;
beforeAll(async () => {
  const served = await servedDocuments();
  document = served.document;
  generated = generate(served);
});

describe('the generated part of the SDK', () => {
  it('equals what `npm run docs:sdk` writes from the served document', () => {
    const committed = Object.fromEntries(
      readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]),
    );
    const stale = Object.keys({ ...generated, ...committed }).filter((name) => generated[name] !== committed[name]);
    expect({ stale, fix: 'npm run docs:sdk' }).toEqual({ stale: [], fix: 'npm run docs:sdk' });
  });

  it('has a method for every operation that partners may call, and for nothing else', () => {
    const partner = Object.entries(document.paths)
      .filter(([path]) => !path.startsWith('/staff'))
      .flatMap(([, item]) => Object.values(item));
    const ids = partner.map(({ operationId }) => operationId).sort();
    expect(ids.length).toBeGreaterThan(50);
    expect(Object.keys(OPERATIONS).sort()).toEqual(ids);
    const ponte = new Ponte({ baseUrl: 'http://127.0.0.1:1', apiKey: 'sk_test_1' }) as unknown as Record<
      string,
      unknown
    >;
    for (const id of ids) expect([id, typeof ponte[camel(id)]]).toEqual([id, 'function']);
  });

  it('says nothing of what staff can do', () => {
    expect(Object.values(generated).join('\n')).not.toMatch(/\/staff\b|staff-session|StaffAccountDto/);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import type { ServedDocuments } from './served-documents';
import { servedDocuments } from './served-documents';

const SDK = resolve(__dirname, '../../../../libs/sdk');

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** Runs the generator in a separate process, because it is an ES module, which Jest cannot load. */
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

describe('the generated part of the SDK', () => {
  it('equals what `npm run docs:sdk` writes from the served document', async () => {
    const generated = generate(await servedDocuments());
    const committed = filesIn(join(SDK, 'src/generated'));
    const stale = Object.keys({ ...generated, ...committed }).filter((name) => generated[name] !== committed[name]);
    expect({ stale, fix: 'npm run docs:sdk' }).toEqual({ stale: [], fix: 'npm run docs:sdk' });
  });
});

import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generate } from '../../../libs/sdk/generate/generate.cjs';
import { servedDocuments } from '../src/clients/served-documents';

const folder = resolve('libs/sdk/src/generated');

async function write(): Promise<void> {
  const { document, errors } = await servedDocuments();
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await generate(document, errors))) {
    writeFileSync(join(folder, name), text);
    process.stdout.write(`${join(folder, name)}\n`);
  }
}

write().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { servedPages } from '../src/docs-site/served-pages';

const folder = resolve('docs/site/generated');

async function write(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await servedPages())) {
    writeFileSync(join(folder, name), text);
    process.stdout.write(`${join(folder, name)}\n`);
  }
}

write().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

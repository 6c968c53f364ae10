import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asText, asyncApiDocument } from './document';
import { partnerAsyncApiDocument } from './partner-document';

const root = resolve(process.argv[2] ?? '.');
const documents = {
  'docs/asyncapi.json': asyncApiDocument(root),
  'docs/partner-asyncapi.json': partnerAsyncApiDocument(),
};
for (const [name, document] of Object.entries(documents)) {
  const file = join(root, name);
  writeFileSync(file, asText(document));
  process.stdout.write(`${file}\n`);
}

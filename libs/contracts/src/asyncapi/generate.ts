import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asText, asyncApiDocument } from './document';

const root = resolve(process.argv[2] ?? '.');
const file = join(root, 'docs/asyncapi.json');
writeFileSync(file, asText(asyncApiDocument(root)));
process.stdout.write(`${file}\n`);

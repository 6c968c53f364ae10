import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configurationDocument } from '../src/configuration';
import { withReadModels } from './read-model-table';
import { withStreamOwners } from './stream-owners';

writeFileSync(resolve('docs/configuration.md'), configurationDocument());
const rewrite = (file: string, updated: (document: string) => string): void =>
  writeFileSync(resolve(file), updated(readFileSync(resolve(file), 'utf8')));
rewrite('docs/architecture.md', withStreamOwners);
rewrite('docs/operations/read-models-and-readers.md', withReadModels);

import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configurationDocument } from '../src/configuration';
import { withStreamOwners } from './stream-owners';

writeFileSync(resolve('docs/configuration.md'), configurationDocument());
const architecture = resolve('docs/architecture.md');
writeFileSync(architecture, withStreamOwners(readFileSync(architecture, 'utf8')));

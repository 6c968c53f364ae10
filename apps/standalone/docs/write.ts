import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configurationDocument } from '../src/configuration';

writeFileSync(resolve('docs/configuration.md'), configurationDocument());

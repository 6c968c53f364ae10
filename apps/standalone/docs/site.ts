import 'reflect-metadata';
import { servedPages } from '../src/docs-site/served-pages';
import { writeFiles } from './write-files';

void writeFiles('docs/site/generated', servedPages);

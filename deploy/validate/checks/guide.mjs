// The pages about installing Ponte.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../helm.mjs';

export const GUIDE = 'docs/deploy';

/** All pages as one text. */
export const guide = () =>
  readdirSync(join(ROOT, GUIDE))
    .sort()
    .map((page) => readFileSync(join(ROOT, GUIDE, page), 'utf8'))
    .join('\n');

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROLES_OF } from '../roles';

const PAGE = readFileSync(join(__dirname, '../../../../../docs/console.md'), 'utf8');

describe('docs/console.md', () => {
  it('names a page of the console for every operation of the staff API', () => {
    const [, section = ''] = PAGE.split('\n## Operations and pages\n');
    const named = [...(section.split('\n## ')[0] ?? '').matchAll(/`(staff-[a-z-]+)`/g)].map(([, id]) => id);
    expect([...named].sort()).toEqual(Object.keys(ROLES_OF).sort());
  });
});

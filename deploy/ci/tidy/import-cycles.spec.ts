import { cyclesIn } from './import-cycles.cjs';

const cycles = (files: Record<string, string>): string[][] => cyclesIn(new Map(Object.entries(files)));

describe('import cycles', () => {
  it('are found over relative paths and packages, and for a file that imports itself', () => {
    const files = {
      'libs/a/src/index.ts': "export * from './one';",
      'libs/a/src/one.ts': "import { two } from '@ponte/b';",
      'libs/b/src/index.ts': "import {\n  one,\n} from '../../a/src/one';",
      'libs/b/src/alone.ts': "import './alone';",
      'apps/c/src/main.ts': "import { one } from '@ponte/a';",
    };
    expect(cycles(files)).toEqual([['libs/a/src/one.ts', 'libs/b/src/index.ts'], ['libs/b/src/alone.ts']]);
  });

  it('include imports and exports of types, including in files that import only types', () => {
    const files = {
      'libs/a/src/one.ts': "import type { Two } from './two';",
      'libs/a/src/two.ts': "import { one } from './one';",
      'libs/b/src/index.ts': "export type { Three } from './three';\nexport * from './four';",
      'libs/b/src/three.ts': "import type {\n  Four,\n} from './four';\nexport type Three = 'four' | Four;",
      'libs/b/src/four.ts': "import type { Three } from '@ponte/b';\nexport type Four = Three[];",
      'libs/c/src/alone.ts': "export type Kind = 'alone' | './alone';",
    };
    expect(cycles(files)).toEqual([
      ['libs/a/src/one.ts', 'libs/a/src/two.ts'],
      ['libs/b/src/four.ts', 'libs/b/src/index.ts', 'libs/b/src/three.ts'],
    ]);
  });

  it('do not include dynamic imports, and packages that are called like a file', () => {
    const files = {
      'libs/a/src/undici.ts': "import { later } from './later';",
      'libs/a/src/later.ts': "import { Pool } from 'undici';\nconst one = () => import('./undici');",
    };
    expect(cycles(files)).toEqual([]);
  });
});

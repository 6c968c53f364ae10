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

  it('do not include type imports, dynamic imports and packages with the name of a file', () => {
    const files = {
      'libs/a/src/one.ts': "import type { Two } from './two';",
      'libs/a/src/two.ts': "import { one } from './one';",
      'libs/a/src/undici.ts': "import { later } from './later';",
      'libs/a/src/later.ts': "import { Pool } from 'undici';\nconst one = () => import('./undici');",
    };
    expect(cycles(files)).toEqual([]);
  });
});

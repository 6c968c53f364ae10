import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { ConsoleFile } from '../staff/console/console-files';
import { readFiles } from '../staff/console/console-files';

/** A file of the guides, with what its policy has to allow. */
export interface GuideFile extends ConsoleFile {
  /** Sources for `script-src`: the hash of each inline script of a page. */
  readonly inlineScripts: string;
}

const INDEX = 'index.html';
/** `deploy/build/docs-site.cjs` writes it last and a new build removes it first: with it, the folder is complete. */
const STAMP = '.built';
const BUILT = 'docs/site/.vitepress/dist';
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Beside the bundle, in the repository of the bundle, or in that of the sources. */
const folders = (): string[] => [
  join(__dirname, 'guides'),
  join(__dirname, '../../..', BUILT),
  join(__dirname, '../../../..', BUILT),
];

/** The built guides, from memory: a path is looked up in a table and never in a folder. */
export class DocsSite {
  private files: ReadonlyMap<string, GuideFile> | undefined;
  /** When the build in memory was complete, in milliseconds since 1970. */
  private builtMs = 0;

  constructor(private readonly places: readonly string[] = folders()) {}

  /**
   * Whether there are complete guides. What is built while the process runs is served from the next request on; until a
   * second build is complete, the first one is.
   */
  get isBuilt(): boolean {
    return this.read() !== undefined;
  }

  /** The file of a path below `/docs/`: `quickstart` is `quickstart.html`. */
  find(path: string): GuideFile | undefined {
    const files = this.read();
    if (path === '') return files?.get(INDEX);
    return files?.get(extname(path) === '' ? `${path}.html` : path);
  }

  private read(): ReadonlyMap<string, GuideFile> | undefined {
    for (const folder of this.places) {
      const builtMs = statSync(join(folder, STAMP), { throwIfNoEntry: false })?.mtimeMs;
      if (builtMs === undefined) continue;
      if (builtMs !== this.builtMs) this.files = guidesIn(folder);
      this.builtMs = builtMs;
      break;
    }
    return this.files;
  }
}

const guidesIn = (folder: string): ReadonlyMap<string, GuideFile> =>
  new Map([...readFiles(folder)].map(([name, file]) => [name, { ...file, inlineScripts: scriptsOf(name, file) }]));

function scriptsOf(name: string, { bytes }: ConsoleFile): string {
  if (extname(name) !== '.html') return '';
  const hashes = [...bytes.toString('utf8').matchAll(INLINE_SCRIPT)].map(([, script = '']) =>
    createHash('sha256').update(script).digest('base64'),
  );
  return [...new Set(hashes)].map((hash) => ` 'sha256-${hash}'`).join('');
}

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { ConsoleFile } from '../staff/console/console-files';
import { readFiles } from '../staff/console/console-files';

/** A file of the guides, with the script sources that its policy must allow. */
interface GuideFile extends ConsoleFile {
  /** Hashes of the page's inline scripts, for `script-src`. */
  readonly inlineScripts: string;
}

const INDEX = 'index.html';
/** A build (`deploy/build/docs-site.cjs`) removes it first and writes it last: with it, the folder is complete. */
const STAMP = '.built';
const BUILT = 'docs/site/.vitepress/dist';
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** The folder next to the bundle, in the repository of the bundle, or in that of the sources. */
const folders = (): string[] => [
  join(__dirname, 'guides'),
  join(__dirname, '../../..', BUILT),
  join(__dirname, '../../../..', BUILT),
];

/** Serves the built guides from memory: a path is looked up in a table and never in a folder. */
export class DocsSite {
  private files: ReadonlyMap<string, GuideFile> | undefined;
  /** When the build in memory was completed, in milliseconds since 1970. */
  private builtMs = 0;

  constructor(private readonly places: readonly string[] = folders()) {}

  /**
   * Whether complete guides exist. Guides that are built while the process runs are served from the next request on.
   * The previous build is served until the next one is complete.
   */
  get isBuilt(): boolean {
    return this.read() !== undefined;
  }

  /** Finds the file of a path below `/docs/`, for example `quickstart.html` for `quickstart`. */
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

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { ConsoleFile } from '../staff/console-files';
import { readFiles } from '../staff/console-files';

/** A file of the guides, with what its policy has to allow. */
export interface GuideFile extends ConsoleFile {
  /** Sources for `script-src`: the hash of each inline script of a page. */
  readonly inlineScripts: string;
}

const INDEX = 'index.html';
const BUILT = 'docs/site/.vitepress/dist';
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Beside the bundle, in the repository of the bundle, or in that of the sources. */
const folders = (): string[] => [
  join(__dirname, 'guides'),
  join(__dirname, '../../..', BUILT),
  join(__dirname, '../../../..', BUILT),
];

/** The built guides, from memory: a path is looked up in a table and never in a folder. Read at the first request. */
export class DocsSite {
  private folder: string | undefined;
  private files: ReadonlyMap<string, GuideFile> | undefined;

  /** Whether `npm run docs:site` was run. What is built while the process runs is found at the next request. */
  get isBuilt(): boolean {
    this.folder ??= folders().find((folder) => existsSync(join(folder, INDEX)));
    return this.folder !== undefined;
  }

  /** The file of a path below `/docs/`: `quickstart` is `quickstart.html`. */
  find(path: string): GuideFile | undefined {
    if (!this.isBuilt) return undefined;
    this.files ??= new Map(
      [...readFiles(this.folder)].map(([name, file]) => [name, { ...file, inlineScripts: scriptsOf(name, file) }]),
    );
    if (path === '') return this.files.get(INDEX);
    return this.files.get(extname(path) === '' ? `${path}.html` : path);
  }
}

function scriptsOf(name: string, { bytes }: ConsoleFile): string {
  if (extname(name) !== '.html') return '';
  const hashes = [...bytes.toString('utf8').matchAll(INLINE_SCRIPT)].map(([, script = '']) =>
    createHash('sha256').update(script).digest('base64'),
  );
  return [...new Set(hashes)].map((hash) => ` 'sha256-${hash}'`).join('');
}

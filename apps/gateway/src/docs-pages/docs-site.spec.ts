import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { DocsSite } from './docs-site';

const folder = temporaryFolder();
const place = join(folder.path, 'dist');
afterAll(() => folder.remove());

const write = (title: string): void => {
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'index.html'), `<h1>${title}</h1><script>one()</script>`);
  writeFileSync(join(place, 'quickstart.html'), `<h1>${title} quickstart</h1>`);
};
const complete = (atSeconds: number): void => {
  writeFileSync(join(place, '.built'), 'hash');
  utimesSync(join(place, '.built'), atSeconds, atSeconds);
};

describe('the guides at /docs', () => {
  const site = new DocsSite([join(folder.path, 'absent'), place]);
  const shown = (path: string): string | undefined => site.find(path)?.bytes.toString('utf8');

  it('are not available before the first build is complete', () => {
    expect(site.isBuilt).toBe(false);
    write('first');
    expect(site.isBuilt).toBe(false);
    expect(shown('')).toBeUndefined();
  });

  it('are served from the request after the build is complete, without a restart', () => {
    complete(1_000);
    expect(site.isBuilt).toBe(true);
    expect(shown('')).toContain('first');
    expect(shown('quickstart')).toContain('first quickstart');
    expect(site.find('')?.inlineScripts).toMatch(/^ 'sha256-.+'$/);
    expect(shown('.built')).toBeUndefined();
    expect(shown('../dist/index.html')).toBeUndefined();
  });

  it('stay unchanged during a second build, and change when it is complete', () => {
    rmSync(place, { recursive: true });
    expect(shown('quickstart')).toContain('first quickstart');
    write('second');
    expect(shown('')).toContain('first');
    complete(2_000);
    expect(shown('')).toContain('second');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const APPS = resolve(__dirname, '../..');
/** Where a request or an event is at hand, so that a line of the log can say which. */
const FOLDERS = ['commands', 'policies', 'queries', 'http', 'idempotency'];
const LINE = /\blogger\.(?:debug|info|warn|error)\(\s*(\{[^;]*|[^\s].*)/g;

const files = readdirSync(APPS)
  .flatMap((app) => FOLDERS.map((folder) => join(APPS, app, 'src', folder)))
  .flatMap((folder) => {
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((file) => join(folder, file))
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
    } catch {
      return [];
    }
  });

it('every line of the log that a command, a policy or the edge writes says which request it belongs to', () => {
  const lines = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(LINE)].map(([, line = '']) => ({
      file: file.slice(APPS.length + 1),
      line,
    })),
  );
  expect(lines.length).toBeGreaterThan(12);
  expect(lines.filter(({ line }) => !/^\{\s*\.\.\.(?:logged\(|call\.logged)/.test(line))).toEqual([]);
});

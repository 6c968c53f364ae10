import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const APPS = resolve(__dirname, '../..');
/** Files in which a request or an event is available, so that a log line can identify it. */
const HAS_REQUEST =
  /\.(?:commands?|query|queries|policy|controller)\.ts$|^gateway\/src\/(?:api|console-api|idempotency)\//;
const LINE = /\blogger\.(?:debug|info|warn|error)\(\s*(\{[^;]*|[^\s].*)/g;

const files = readdirSync(APPS)
  .filter((app) => !['standalone', 'cli'].includes(app))
  .flatMap((app) =>
    readdirSync(join(APPS, app, 'src'), { recursive: true, encoding: 'utf8' }).map((file) => join(app, 'src', file)),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && HAS_REQUEST.test(file));

it('every log line of a command, a policy or the gateway identifies its request', () => {
  const lines = files.flatMap((file) =>
    [...readFileSync(join(APPS, file), 'utf8').matchAll(LINE)].map(([, line = '']) => ({ file, line })),
  );
  expect(lines.length).toBeGreaterThan(12);
  expect(lines.filter(({ line }) => !/^\{\s*\.\.\.(?:logged\(|call\.logged)/.test(line))).toEqual([]);
});

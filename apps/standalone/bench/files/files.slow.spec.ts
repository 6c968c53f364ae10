import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

jest.setTimeout(240_000);

/** What a reader has to follow from one end to the other may not grow. Lower a limit when files have gone. */
const LIMITS = { 'POST /quotes': 45, 'POST /orders': 100 };

it('a quote and an order run through no more of our files than before', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(__dirname, 'files.cjs')]);
  const counted = [...stdout.matchAll(/^(POST \/\w+), from the socket .*: (\d+) files/gm)].map(([, name, count]) => [
    name,
    Number(count),
  ]);
  expect(counted.map(([name]) => name)).toEqual(Object.keys(LIMITS));
  for (const [name, limit] of Object.entries(LIMITS)) {
    const count = Number(Object.fromEntries(counted)[name]);
    expect({ name, isWithinLimit: count <= limit, count }).toEqual({ name, isWithinLimit: true, count });
    // Far fewer would mean that calls are no longer seen.
    expect(count).toBeGreaterThan(limit / 2);
  }
});

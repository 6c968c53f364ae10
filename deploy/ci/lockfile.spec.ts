import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Locked {
  readonly libc?: readonly string[];
}

const { packages } = JSON.parse(readFileSync(resolve(__dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};

// The packages themselves do not say it, so npm would install both: 9 MB that no process loads (docs/dependencies.md).
it('the lockfile says which C library each binary of libsql for Linux is for', () => {
  const binaries = Object.entries(packages).filter(([name]) => name.startsWith('node_modules/@libsql/linux-'));
  expect(binaries).toHaveLength(6);
  for (const [name, { libc }] of binaries) expect([name, libc]).toEqual([name, [/musl/.test(name) ? 'musl' : 'glibc']]);
});

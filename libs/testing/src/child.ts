import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { temporaryFolder } from './temporary-folder';

export interface Child {
  readonly pid: number;
  /** Lines of its standard output. */
  readonly lines: AsyncIterable<string>;
  kill(signal: NodeJS.Signals): void;
  /** The signal that ended it, or its exit code. */
  readonly ended: Promise<NodeJS.Signals | number>;
}

const ROOT = resolve(__dirname, '../../..');

/** Runs TypeScript source in its own process, which a test may kill. Imports are resolved from `directory`. */
export function startChild(
  source: string,
  directory: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Child {
  const folder = temporaryFolder();
  const outfile = join(folder.path, 'child.cjs');
  buildSync({
    stdin: { contents: source, resolveDir: directory, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    tsconfig: join(ROOT, 'tsconfig.base.json'),
    alias: Object.fromEntries(
      readdirSync(join(ROOT, 'libs')).map((lib) => [`@ponte/${lib}`, join(ROOT, 'libs', lib, 'src/index.ts')]),
    ),
  });
  const child: ChildProcess = spawn(process.execPath, [outfile, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules'), ...env },
  });
  const ended = new Promise<NodeJS.Signals | number>((done, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) => {
      folder.remove();
      done(signal ?? code ?? -1);
    });
  });
  if (!child.stdout || child.pid === undefined) throw new Error('the child did not start');
  return {
    pid: child.pid,
    lines: createInterface({ input: child.stdout }),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

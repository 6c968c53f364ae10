import { spawn, spawnSync } from 'node:child_process';
import { extname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { installPackages } from '../../clients/testing/python';

const ROOT = resolve(__dirname, '../../../../..');
export const PAGES = join(ROOT, 'docs/site');
export const SNIPPETS = join(PAGES, 'snippets');
/** The path of a snippet, such as `receiver.go`, in the folder of its language. */
export const snippet = (file: string): string => join(SNIPPETS, extname(file).slice(1), file);

const CACHE = join(ROOT, 'node_modules/.cache/ponte-docs-site');

/** Whether the program exists and succeeds with these arguments. */
export const has = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/**
 * Returns an interpreter with the packages of `requirements.txt`, which are installed again when the pinned versions
 * change.
 */
export async function pythonWithPackages(python: string): Promise<string> {
  return join(await installPackages(python, join(SNIPPETS, 'py/requirements.txt'), join(CACHE, 'python')), 'python');
}

/** Bundles a TypeScript snippet and this repository's SDK into one ES module. Returns its path. */
export const bundled = (name: string, folder: string): Promise<string> =>
  bundledFile(snippet(`${name}.ts`), join(folder, `${name}.mjs`));

/** The same for any file. */
export async function bundledFile(file: string, outfile: string): Promise<string> {
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    alias: { '@ponte/sdk': join(ROOT, 'libs/sdk/src/index.ts') },
  });
  return outfile;
}

/** A running server of a snippet. */
interface Receiver {
  readonly printed: () => string;
  stop(): Promise<void>;
}

/** Starts a program that prints `listening` when it is ready. Rejects with its output if it ends before that. */
export function startReceiver(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Receiver> {
  const { PATH = '', HOME = '', GOCACHE, GOFLAGS, JAVA_HOME } = process.env;
  const inherited = {
    PATH,
    HOME,
    ...(GOCACHE && { GOCACHE }),
    ...(GOFLAGS && { GOFLAGS }),
    ...(JAVA_HOME && { JAVA_HOME }),
  };
  // A separate process group, because `go run` starts the server as a child process.
  const child = spawn(program, args, { env: { ...inherited, ...env }, detached: true });
  let output = '';
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  return new Promise((started, failed) => {
    child.once('error', failed);
    child.once('close', (code) => failed(new Error(`${program} ended with ${code}:\n${output}`)));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('listening')) started({ printed: () => output, stop });
      });
    }
  });
}

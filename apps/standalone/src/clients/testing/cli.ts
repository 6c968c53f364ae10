import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import type { InProcessCluster } from '../../e2e/testing/in-process';
import { ROOT } from './tools';

/** The exit code and output of one run of the program. */
interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A run that continues until it is interrupted. */
interface LastingRun {
  /** Resolves with the standard output once it contains `text`. Rejects if the program ends before. */
  said(text: string): Promise<string>;
  interrupt(): Promise<Run>;
}

/** Runs the built command line with its own configuration folder, as a developer does. */
export class CommandLine {
  readonly folder = temporaryFolder();
  private constructor(private readonly file: string) {}

  static async build(): Promise<CommandLine> {
    const { build } = (await import(join(ROOT, 'apps/cli/build.cjs'))) as { build: (folder: string) => Promise<void> };
    const folder = temporaryFolder();
    await build(folder.path);
    return new CommandLine(join(folder.path, 'ponte.js'));
  }

  get config(): string {
    return join(this.folder.path, 'config');
  }

  /** Writes a file that only the user can read. Returns its path. */
  writeFile(name: string, text: string): string {
    const path = join(this.folder.path, name);
    mkdirSync(this.folder.path, { recursive: true });
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  run(args: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Run> {
    return this.start(args, env, input).ended;
  }

  /** Runs a command with `--json` and returns the parsed output. Throws if the command fails. */
  async json<Value>(...args: string[]): Promise<Value> {
    const { code, out, err } = await this.run([...args, '--json']);
    if (code !== 0) throw new Error(`ponte ${args.join(' ')} ended with ${code}: ${err}`);
    return JSON.parse(out) as Value;
  }

  lasting(args: readonly string[], env: Record<string, string> = {}): LastingRun {
    const { child, ended, written } = this.start(args, env, '');
    return {
      async said(text) {
        while (!written().includes(text)) {
          await Promise.race([
            new Promise((resolve) => child.stdout.once('data', resolve)),
            ended.then(({ err }) => Promise.reject(new Error(err))),
          ]);
        }
        return written();
      },
      interrupt() {
        child.kill('SIGINT');
        return ended;
      },
    };
  }

  async signIn({ sandbox, dataDirectory }: InProcessCluster): Promise<void> {
    const { code, err } = await this.run([
      'login',
      '--key-file',
      join(dataDirectory, 'sandbox.json'),
      '--account',
      sandbox['subaccount-id'],
    ]);
    if (code !== 0) throw new Error(err);
  }

  private start(args: readonly string[], env: Record<string, string>, input: string) {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [this.file, ...args], {
      env: { PATH, HOME, PONTE_CONFIG_DIR: this.config, ...env },
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    // A command that reads no input may have ended before it is written.
    child.stdin.on('error', () => undefined).end(input);
    const ended = new Promise<Run>((resolve) => child.on('close', (code) => resolve({ code, out, err })));
    return { child, ended, written: () => out };
  }
}

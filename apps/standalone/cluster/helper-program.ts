import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endChild } from './end-child';

/**
 * Starts a program that says in one line of JSON where it listens, and ends on SIGTERM. Its standard input and its channel end
 * with this process: by the one or the other it knows that it is alone.
 */
export async function startHelper<Told>(file: string, args: readonly string[]): Promise<{ readonly told: Told; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 2, 'ipc'] });
  const told = await firstLine(child, file);
  return { told: JSON.parse(told) as Told, stop: () => endChild(child) };
}

async function firstLine(child: ChildProcess, file: string): Promise<string> {
  if (!child.stdout) throw new Error(`${file} has no output`);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    // What it goes on to say has to go somewhere.
    child.stdout.resume();
    return line;
  }
  throw new Error(`${file} ended before it was ready`);
}

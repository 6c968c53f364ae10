// Runs a program and prints its output to standard error only if it fails, so that the next command can print pure JSON
// to standard output.
import { spawnSync } from 'node:child_process';

const [program, ...args] = process.argv.slice(2);
const { status, stdout, stderr, error } = spawnSync(program, args, {
  encoding: 'utf8',
  stdio: ['inherit', 'pipe', 'pipe'],
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
});
if (status !== 0) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`);
process.exit(status ?? 1);

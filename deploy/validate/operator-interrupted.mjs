// Tests that deploy/operate.mjs deletes its pod when it is interrupted: the program itself, with a kubectl on its PATH.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from './helm.mjs';
import { deployment } from './objects.mjs';

const LOOK_MS = 50;
/** Much more than it takes. Ends a program that ignores the signal. */
const LIMIT_MS = 60_000;

/** Writes its verbs to a file, reads the pod to create, and knows a stopped service and a pod that waits for a node. */
const kubectl = (own) => `#!${process.execPath}
const [, , verb, what] = process.argv.slice(2);
require('node:fs').appendFileSync(__dirname + '/verbs', verb + ' ' + what.split('/')[0] + '\\n');
if (verb === 'create') require('node:fs').readFileSync(0);
if (verb === 'get') console.log(what.startsWith('deployment') ? ${JSON.stringify(JSON.stringify(own))} : '{}');
`;

/** The faults of an interrupted command. */
export async function interruption(releases) {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-operate-'));
  try {
    writeFileSync(join(folder, 'kubectl'), kubectl(deployment(releases.get('orders'))), { mode: 0o755 });
    const verbs = () => (existsSync(join(folder, 'verbs')) ? readFileSync(join(folder, 'verbs'), 'utf8') : '');
    const child = spawn(process.execPath, [join(ROOT, 'deploy/operate.mjs'), 'orders', 'parked', 'list'], {
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH ?? ''}` },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const said = [];
    child.stderr.on('data', (chunk) => said.push(chunk.toString()));
    const closed = new Promise((resolve) => child.once('close', (...end) => resolve(end)));
    while (!verbs().includes('get pod') && child.exitCode === null && child.signalCode === null) await pause(LOOK_MS);
    child.kill('SIGINT');
    const [code, signal] = await closed;
    return [
      ...(code === 1 ? [] : [`it ended with ${code ?? signal} instead of 1`]),
      ...(verbs().endsWith('delete pod\n') ? [] : [`it deletes no pod: ${verbs()}`]),
      ...(said.join('').includes('interrupted; the pod is deleted') ? [] : [`it says ${said.join('')}`]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

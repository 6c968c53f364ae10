import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ServiceName } from '@ponte/contracts';
import { SERVICES } from '@ponte/contracts';
import type { Variables } from '@ponte/kernel';
import { readRuntime } from '@ponte/nest';
import type { Print } from '@ponte/operator';
import { printRows } from '@ponte/operator';
import type { Line } from './addressee';
import { addresseeOf, ANY } from './addressee';
import { readEngineAddresses } from './engine-addresses';
import { masterKeyOf } from './master-key';
import { sectionsOf } from './sections';

type Row = Readonly<Record<string, unknown>>;
interface Ended {
  readonly service: ServiceName;
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const BUILDS = resolve(__dirname, '../apps');
const FAILED = 1;
const JSON_FLAG = '--json';

/**
 * Runs an operator verb as a container of its service does, `main.js <verb>`, with the settings of the cluster that
 * uses the data folder. A verb for several services runs in each of them. Returns the exit code, the highest one of
 * several.
 */
export async function operate(given: Variables, { service, words }: Line): Promise<number> {
  const { dataDirectory } = readRuntime({ PONTE_DATA_DIR: given['PONTE_DATA_DIR'] });
  const env = {
    PONTE_ENVIRONMENT: 'sandbox',
    ...given,
    ...readEngineAddresses(dataDirectory),
    ...masterKeyOf(given, dataDirectory),
    PONTE_DATA_DIR: dataDirectory,
  };
  const run = (one: ServiceName, line: readonly string[]): Promise<Ended> => runVerb(one, line, env);
  const services = service ? [service] : await addressees(words, run);
  const ended = await Promise.all(services.map((one) => run(one, words)));
  if (services.length === 1) printOne(ended);
  else {
    for (const { service, err } of ended) if (err) process.stderr.write(`${service}: ${err}`);
    const print = (text: string): void => void process.stdout.write(`${text}\n`);
    if (words.includes(JSON_FLAG)) tellRows(ended, print);
    else for (const text of sectionsOf(ended)) print(text);
  }
  return Math.max(...ended.map(({ code }) => code));
}

async function addressees(
  words: readonly string[],
  run: (service: ServiceName, line: readonly string[]) => Promise<Ended>,
): Promise<readonly ServiceName[]> {
  const addressee = addresseeOf(words);
  if ('services' in addressee) return addressee.services;
  const listing = async (kind: string): Promise<readonly Ended[]> => {
    const lists = await Promise.all(SERVICES.map((service) => run(service, ['parked', kind, JSON_FLAG])));
    const failed = lists.find(({ code }) => code !== 0);
    if (failed) throw new Error(`${failed.service} failed to list its parked events: ${failed.err.trim()}`);
    return lists.filter(({ out }) =>
      (JSON.parse(out) as Row[]).some(({ key, event }) => key === addressee.whoParked || event === addressee.whoParked),
    );
  };
  const parked = await listing('list');
  // A discard may be repeated.
  const having = parked.length === 0 && words[1] === 'discard' ? await listing('discarded') : parked;
  if (having.length > 1)
    throw new Error(
      `${addressee.whoParked} is parked in ${having.map(({ service }) => service).join(', ')}; select one with ` +
        '--service',
    );
  // Any service can report that nothing is parked, which is a success for a repeated release.
  return having.length === 0 ? [ANY] : having.map(({ service }) => service);
}

/** Prints the output of one service unchanged. */
function printOne([ended]: readonly Ended[]): void {
  process.stderr.write(ended?.err ?? '');
  process.stdout.write(ended?.out ?? '');
}

/** Prints the rows of all services as one list, each row with the name of its service. */
function tellRows(ended: readonly Ended[], print: Print): void {
  const rows = ended
    .filter(({ out }) => out.trim() !== '')
    .flatMap(({ service, out }) => [JSON.parse(out) as Row | Row[]].flat().map((row) => ({ service, ...row })));
  if (rows.length === 0 && ended.some(({ code }) => code !== 0)) return;
  printRows(print, rows, { json: true, none: '' });
}

function runVerb(service: ServiceName, words: readonly string[], env: Variables): Promise<Ended> {
  const main = join(BUILDS, service, 'main.js');
  if (!existsSync(main)) throw new Error(`${main} is missing: run npm run build first`);
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((done, reject) => {
    child.once('error', reject).once('close', (code) => done({ service, code: code ?? FAILED, out, err }));
  });
}

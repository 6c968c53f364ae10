import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterEngine } from './engines';
import type { Env } from './service-processes';

const OWNER_ONLY = 0o600;
const fileIn = (dataDirectory: string): string => join(dataDirectory, 'engines.json');

/** The environment variables with the addresses of the engines. */
export const engineAddresses = (engines: readonly ClusterEngine[]): Env =>
  Object.fromEntries(engines.map(({ variable, value }) => [variable, value]));

/**
 * Saves the addresses of a running cluster's engines for the operator verbs. Only the owner can read the file, since a
 * URL may contain a password. Returns a function that deletes it.
 */
export function saveEngineAddresses(dataDirectory: string, addresses: Env): () => void {
  const file = fileIn(dataDirectory);
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(addresses, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  renameSync(`${file}.new`, file);
  return () => rmSync(file, { force: true });
}

/** Throws if no cluster is running on the folder. */
export function readEngineAddresses(dataDirectory: string): Env {
  const file = fileIn(dataDirectory);
  if (!existsSync(file)) throw new Error(`no cluster runs over ${dataDirectory}: start it first (npm run cluster)`);
  return JSON.parse(readFileSync(file, 'utf8')) as Env;
}

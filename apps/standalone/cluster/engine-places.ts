import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterEngine } from './engines';
import type { Env } from './service-processes';

const OWNER_ONLY = 0o600;
const fileIn = (dataDirectory: string): string => join(dataDirectory, 'engines.json');

/** The variables that tell a service where the engines are. */
export const placesOf = (engines: readonly ClusterEngine[]): Env =>
  Object.fromEntries(engines.map(({ variable, value }) => [variable, value]));

/**
 * Keeps where the engines of a running cluster are, for the verbs of operators; for its owner alone, since a URL may
 * carry a password. Answers how to take it away.
 */
export function keepPlaces(dataDirectory: string, places: Env): () => void {
  const file = fileIn(dataDirectory);
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(places, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  renameSync(`${file}.new`, file);
  return () => rmSync(file, { force: true });
}

/** Throws when no cluster runs over the folder. */
export function readPlaces(dataDirectory: string): Env {
  const file = fileIn(dataDirectory);
  if (!existsSync(file)) throw new Error(`no cluster runs over ${dataDirectory}: start it first (npm run cluster)`);
  return JSON.parse(readFileSync(file, 'utf8')) as Env;
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stopOrphan } from '../../../../movements/src/chain/adapters/local-anvil/orphan';

/** Reads a data folder's records of its chains: the record's file and the pid of the chain's process. */
function recordsIn(dataDirectory: string): { readonly file: string; readonly pid: number }[] {
  const chains = join(dataDirectory, 'chains');
  if (!existsSync(chains)) return [];
  return readdirSync(chains)
    .map((chain) => join(chains, chain, 'process.json'))
    .filter((file) => existsSync(file))
    .map((file) => ({ file, pid: (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid }));
}

/** The pids of a data folder's chains. */
export const chainPids = (dataDirectory: string): number[] =>
  recordsIn(dataDirectory)
    .map(({ pid }) => pid)
    .filter((pid) => pid > 0);

/** Ends the chains that a killed program left running. */
export async function endChains(dataDirectory: string): Promise<void> {
  for (const { file, pid } of recordsIn(dataDirectory)) await stopOrphan(pid, join(dirname(file), 'state.json'));
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

import { freshId } from '../recorded';
import { selfSigned } from '../self-signed';
import { hasContainerRuntime } from '../esdb-server/real-server';

/** A real PostgreSQL with a database of the caller's own. */
export interface PostgresServer {
  /** Of a user who may do anything in that database. */
  readonly url: string;
  /** What it is, with its version. */
  readonly name: string;
  /** Ends it as a power cut would; of a server that was given, only the connections to the database are cut. */
  kill(): Promise<void>;
  /** Starts it again on the same data, at the same address. */
  restart(): Promise<void>;
  /** Ends it and removes everything it kept. */
  stop(): Promise<void>;
}

/** Receives the state of a supervised server. */
export interface PostgresWatch {
  started(server: { readonly pid: number }): void;
  /** It ended unasked, and is started again. */
  ended(): void;
}

/** A server that runs as this process's child. */
export interface KeptPostgres extends PostgresServer {
  /** From now on it is started again whenever it ends unasked. Answers how to stop it. */
  supervised(by: PostgresWatch): () => Promise<void>;
}

/**
 * The server of `DATABASE_URL` (with a database of its own, dropped at the end), else one in a container, else Debian's
 * binaries over a temporary folder. Rejects with a line that says how to get one.
 */
export async function startPostgres(url = process.env['DATABASE_URL']): Promise<PostgresServer> {
  // Loaded only when called: driver and testcontainers cost every suite time.
  if (url) return (await import('./given')).borrowDatabase(url, `ponte_test_${freshId()}`);
  if (hasContainerRuntime()) return (await import('./container')).startContainer();
  const { findBinaries, startLocal } = await import('./local');
  const binaries = findBinaries();
  if (binaries !== undefined) return startLocal(binaries);
  throw new Error('no PostgreSQL here: set DATABASE_URL, start a container runtime, or apt-get install postgresql');
}

/** A server over Debian's binaries that keeps its data in a folder. Rejects with a line that says how to get them. */
export async function startKeptPostgres(folder: string): Promise<KeptPostgres> {
  const { findBinaries, startLocal } = await import('./local');
  const binaries = findBinaries();
  if (binaries === undefined) throw new Error('no PostgreSQL here: set DATABASE_URL, or apt-get install postgresql');
  return startLocal(binaries, folder);
}

/**
 * Debian's binaries, with a certificate that vouches for itself and a password; `url` names both. Connections without
 * TLS, with another password or another certificate are for the test to try.
 */
export async function startSecuredPostgres(): Promise<PostgresServer & { readonly password: string }> {
  const { findBinaries, startLocal } = await import('./local');
  const binaries = findBinaries();
  if (binaries === undefined) throw new Error('no local PostgreSQL with TLS was found: apt-get install postgresql');
  // Characters that an address has to escape.
  const password = `p@ss:${freshId()}/%`;
  return { ...(await startLocal(binaries, undefined, { ...selfSigned(), password })), password };
}

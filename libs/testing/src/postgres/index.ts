import { freshId } from '../recorded';
import { selfSigned } from '../self-signed';
import { hasContainerRuntime } from '../containers';

/** A real PostgreSQL with a separate database. */
export interface PostgresServer {
  /** URL of a user with all rights in that database. */
  readonly url: string;
  /** A description with the version, for output. */
  readonly name: string;
  /** Ends it as a power cut would. For an existing server, only cuts the connections to the database. */
  kill(): Promise<void>;
  /** Restarts it with the same data and address. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

/** Receives the state of a supervised server. */
export interface PostgresWatch {
  started(server: { readonly pid: number }): void;
  /** The server ended unexpectedly and is being restarted. */
  ended(): void;
}

/** A server that is a child of this process. */
export interface KeptPostgres extends PostgresServer {
  /** Restarts the server whenever it ends unexpectedly. Returns a function that stops it. */
  supervised(by: PostgresWatch): () => Promise<void>;
}

/**
 * The server of `DATABASE_URL` (with a separate database that is dropped at the end), or else one in a container, or
 * else one from Debian's binaries in a temporary folder. The error says how to get one.
 */
export async function startPostgres(url = process.env['DATABASE_URL']): Promise<PostgresServer> {
  // Loaded on first use, because the driver loads slowly.
  if (url) return (await import('./given')).borrowDatabase(url, `ponte_test_${freshId()}`);
  if (hasContainerRuntime()) return (await import('./container')).startContainer();
  const { findBinaries, startLocal } = await import('./local');
  const binaries = findBinaries();
  if (binaries !== undefined) return startLocal(binaries);
  throw new Error(
    'no PostgreSQL is available: set DATABASE_URL, start a container runtime, or apt-get install postgresql',
  );
}

/** A server from Debian's binaries that keeps its data in a folder. The error says how to install them. */
export async function startKeptPostgres(folder: string): Promise<KeptPostgres> {
  const { findBinaries, startLocal } = await import('./local');
  const binaries = findBinaries();
  if (binaries === undefined)
    throw new Error('no PostgreSQL is available: set DATABASE_URL, or apt-get install postgresql');
  return startLocal(binaries, folder);
}

/**
 * A server from Debian's binaries that requires TLS, with a self-signed certificate, and a password. `url` contains
 * both. Tests can try connections without TLS, with another password or with another certificate.
 */
export async function startSecuredPostgres(): Promise<PostgresServer & { readonly password: string }> {
  const { findBinaries, startLocal } = await import('./local');
  const binaries = findBinaries();
  if (binaries === undefined) throw new Error('no local PostgreSQL is available: apt-get install postgresql');
  // Has characters that must be escaped in a URL.
  const password = `p@ss:${freshId()}/%`;
  return { ...(await startLocal(binaries, undefined, { ...selfSigned(), password })), password };
}

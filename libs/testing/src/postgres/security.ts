import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Clients must use TLS and a password. Key and certificate are PEM. */
export interface PostgresSecurity {
  readonly certificate: string;
  readonly key: string;
  readonly password: string;
}

/** The owner of the server's files. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const PASSWORD_FILE = 'password';
const CERTIFICATE_FILE = 'server.crt';
const KEY_FILE = 'server.key';

/** The authentication options of `initdb`. Also writes the files that they need. */
export function admission(folder: string, security: PostgresSecurity | undefined, owner: Owner | undefined): string[] {
  if (!security) return ['--auth=trust'];
  const texts = {
    [PASSWORD_FILE]: security.password,
    [CERTIFICATE_FILE]: security.certificate,
    [KEY_FILE]: security.key,
  };
  for (const [name, text] of Object.entries(texts)) {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (owner) chownSync(file, owner.uid, owner.gid);
  }
  return ['--auth=scram-sha-256', `--pwfile=${join(folder, PASSWORD_FILE)}`];
}

/** Settings that allow only connections with TLS. Also writes `pg_hba.conf`. */
export function tlsOf(folder: string, data: string): Record<string, string> {
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
  return { ssl: 'on', ssl_cert_file: join(folder, CERTIFICATE_FILE), ssl_key_file: join(folder, KEY_FILE) };
}

/** The certificate is self-signed, so it is also the root certificate for clients. */
export const securedUrl = (port: number, folder: string, { password }: PostgresSecurity): string =>
  `postgres://ponte:${encodeURIComponent(password)}@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${encodeURIComponent(join(folder, CERTIFICATE_FILE))}`;

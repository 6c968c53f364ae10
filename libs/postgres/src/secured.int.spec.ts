import type { PostgresServer } from '@ponte/testing';
import {
  describeOnRealEngine,
  freshId,
  sayEngine,
  selfSigned,
  startSecuredPostgres,
  temporaryFolder,
} from '@ponte/testing';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '@ponte/kernel';
import { Postgres } from './postgres';

const STARTUP_MS = 240_000;

// The connection string as an operator writes it in DATABASE_URL.
describeOnRealEngine('PostgreSQL with TLS', () => {
  const strangers = temporaryFolder();
  const foreignCa = join(strangers.path, 'ca.pem');
  let server: PostgresServer & { readonly password: string };
  beforeAll(async () => {
    writeFileSync(foreignCa, selfSigned().certificate);
    server = await startSecuredPostgres();
  }, STARTUP_MS);
  afterAll(async () => {
    strangers.remove();
    await server?.stop();
    sayEngine('PostgreSQL with TLS', server?.name ?? 'nothing');
  });

  const messages: string[] = [];
  const record = (fields: object, message: string): void => void messages.push(message + JSON.stringify(fields));
  const connect = (url: string): Promise<Postgres> =>
    Postgres.open({
      url,
      schema: `t${freshId()}`,
      logger: { warn: record, error: record },
      limits: { patienceMs: 200 },
    });
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(server.url);
    change(url);
    return url.toString();
  };

  test('sslmode=verify-full with sslrootcert: the connection is encrypted and goes to the server named in the certificate', async () => {
    const postgres = await connect(server.url);
    try {
      expect(await postgres.query('SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()')).toEqual([
        { ssl: true, version: 'TLSv1.3' },
      ]);
    } finally {
      await postgres.close();
    }
  });

  test.each<[string, () => string]>([
    [
      'another password',
      () =>
        changed((url) => {
          url.password = 'not the password';
        }),
    ],
    [
      'a certificate of someone else',
      () =>
        changed((url) => {
          url.searchParams.set('sslrootcert', foreignCa);
        }),
    ],
    [
      'a name that the certificate does not have',
      () =>
        changed((url) => {
          url.hostname = '127.0.0.1';
        }),
    ],
    [
      'a missing CA certificate',
      () =>
        changed((url) => {
          url.searchParams.delete('sslrootcert');
        }),
    ],
    [
      'no TLS',
      () =>
        changed((url) => {
          url.search = '';
        }),
    ],
  ])('%s is refused, and neither the error nor the log contains the password', async (_, url) => {
    const postgres = await connect(url());
    const failure = await postgres.query('SELECT 1').then(
      () => undefined,
      (error: unknown) => error,
    );
    await postgres.close();
    expect(failure).toBeInstanceOf(Error);
    if (failure instanceof Unavailable) messages.push(String(failure.cause));
    messages.push(String(failure));
    for (const secret of [server.password, encodeURIComponent(server.password), 'not the password'])
      expect(messages.join('\n')).not.toContain(secret);
  });
});

import { readFileSync } from 'node:fs';
import type { CertificatePurpose, Metrics } from '@ponte/observability';
import { reportCertificates } from '@ponte/observability';
import type { RemoteEngines } from './remote-engines';

/** Parameters of connection strings that name files with certificates; in lower case, because clients ignore case. */
const ESDB_FILES = { tlscafile: 'event-store-ca', usercertfile: 'event-store' } as const;
const POSTGRES_FILES = { sslrootcert: 'postgres-ca', sslcert: 'postgres' } as const;

/** Reports when the certificates expire with which this process connects to its engines. */
export function reportEngineCertificates(
  { esdbUrl, databaseUrl, kafka }: Pick<RemoteEngines, 'esdbUrl' | 'databaseUrl' | 'kafka'>,
  metrics: Pick<Metrics, 'set'>,
): void {
  for (const [purpose, file] of [...filesIn(esdbUrl, ESDB_FILES), ...filesIn(databaseUrl, POSTGRES_FILES)]) {
    const pem = contents(file);
    if (pem !== null) reportCertificates(metrics, purpose, pem);
  }
  if (typeof kafka.ssl === 'object') reportCertificates(metrics, 'kafka-ca', kafka.ssl.ca.join('\n'));
}

/** The string is not parsed as a URL, because that of EventStoreDB may name several hosts. */
function filesIn(
  connectionString: string,
  parameters: Readonly<Record<string, CertificatePurpose>>,
): [CertificatePurpose, string][] {
  const query = new URLSearchParams(connectionString.split('?').slice(1).join('?'));
  return [...query].flatMap(([name, file]) => {
    const purpose = parameters[name.toLowerCase()];
    return purpose === undefined ? [] : [[purpose, file] as [CertificatePurpose, string]];
  });
}

/** Null for a file that cannot be read, which the client of the engine reports. */
function contents(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics } from '@ponte/observability';
import { selfSigned, temporaryFolder } from '@ponte/testing';
import { reportEngineCertificates } from './engine-certificates';
import type { KafkaSettings } from '../kafka-settings';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 29, 21);
const KAFKA = { brokers: [], ssl: false, sasl: null, prefix: '', partitions: 1, replicationFactor: 1 } as const;

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

/** The path of a file with a certificate that expires in this many days, encoded for a connection string. */
function expiringIn(days: number): string {
  const path = join(folder.path, `${days}.crt`);
  writeFileSync(path, selfSigned(NOW + (days - 1) * DAY_MS).certificate);
  return encodeURIComponent(path);
}

/** The reported days until each expiry. */
async function reported(esdbUrl: string, databaseUrl: string, ssl: KafkaSettings['ssl'] = false) {
  const metrics = new Metrics();
  reportEngineCertificates({ esdbUrl, databaseUrl, kafka: { ...KAFKA, ssl } }, metrics);
  const metric = await metrics.registry.getSingleMetric('ponte_certificate_expires_at_seconds')?.get();
  return Object.fromEntries(
    (metric?.values ?? []).map(({ labels, value }) => [labels['purpose'], (value * 1_000 - NOW) / DAY_MS]),
  );
}

describe('the certificates of the connections to the engines', () => {
  it('are those that the settings name', async () => {
    const esdb = `esdb://u:p@a:2113,b:2113?tls=true&tlsCAFile=${expiringIn(3)}&userCertFile=${expiringIn(4)}`;
    const postgres = `postgres://u:p@db/ponte?sslrootcert=${expiringIn(5)}&sslcert=${expiringIn(6)}`;
    const kafka = { ca: [selfSigned(NOW + 6 * DAY_MS).certificate] };
    expect(await reported(esdb, postgres, kafka)).toEqual({
      ...{ 'event-store-ca': 3, 'event-store': 4, 'postgres-ca': 5, postgres: 6, 'kafka-ca': 7 },
    });
  });

  it('are none for certificates of the system, without TLS, or for files that cannot be read', async () => {
    expect(await reported('esdb://store:2113?tls=false', 'postgres://u:p@db/ponte', true)).toEqual({});
    expect(await reported('esdb://s?tlsCAFile=/nowhere', 'postgres://u:p@db/ponte?sslrootcert=/nowhere')).toEqual({});
  });
});

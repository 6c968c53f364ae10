import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { readRuntime } from '../process/runtime';
import { readRemoteEngines } from './remote-engines';

const MASTER_KEY = randomBytes(32).toString('hex');
const ENV = {
  ESDB_URL: 'esdb://store:2113?tls=false',
  KAFKA_BROKERS: 'a:9092, b:9092',
  DATABASE_URL: 'postgres://u:p@db/ponte',
  PONTE_MASTER_KEY: MASTER_KEY,
};
const read = (change: Readonly<Record<string, string>> = {}, environment: 'sandbox' | 'production' = 'production') =>
  readRemoteEngines({ ...ENV, ...change }, environment).remote;

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

describe('the remote engines, read from the environment,', () => {
  it('must be configured completely or not at all', () => {
    expect(readRemoteEngines({}, 'production')).toEqual({});
    expect(() => readRemoteEngines({ ESDB_URL: 'esdb://x' }, 'production')).toThrow(
      'ESDB_URL is set but KAFKA_BROKERS is not',
    );
    expect(() => read({ PONTE_ENGINES: 'embedded' })).toThrow('cannot be combined');
  });

  it('require that the environment is stated, because its default has no checks of production', () => {
    expect(() => readRuntime(ENV)).toThrow('PONTE_ENVIRONMENT must be set to sandbox or production');
    expect(readRuntime({ ...ENV, PONTE_ENVIRONMENT: 'production' })).toMatchObject({ environment: 'production' });
    expect(readRuntime({})).toMatchObject({ environment: 'sandbox' });
  });

  it('are reported with the other wrong settings of the process', () => {
    const wrong = { PORT: 'x', MANAGEMENT_PORT: '-1', OTEL_EXPORTER_OTLP_ENDPOINT: 'x', KAFKA_PARTITIONS: '0' };
    const all = { ...wrong, DATABASE_CONNECTIONS: '0' };
    const read = () => readRuntime({ ...ENV, PONTE_ENVIRONMENT: 'production', ...all });
    for (const name of Object.keys(all)) expect(read).toThrow(`${name} must be`);
  });

  it('have defaults that are suitable for production', () => {
    expect(read()).toMatchObject({
      databaseConnections: 5,
      kafka: { brokers: ['a:9092', 'b:9092'], ssl: false, sasl: null, partitions: 12, replicationFactor: 3 },
    });
    expect(read({}, 'sandbox')).toMatchObject({ kafka: { replicationFactor: 1 } });
  });

  it('read KAFKA_SSL_CA as a PEM file and refuse it without TLS', () => {
    const [good, bad] = [join(folder.path, 'ca.pem'), join(folder.path, 'bad.pem')];
    const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    writeFileSync(good, pem);
    writeFileSync(bad, 'nothing of the kind');
    expect(read({ KAFKA_SSL: 'true' })?.kafka.ssl).toBe(true);
    expect(read({ KAFKA_SSL: 'true', KAFKA_SSL_CA: good })?.kafka.ssl).toEqual({ ca: [pem] });
    expect(() => read({ KAFKA_SSL_CA: good })).toThrow('not be encrypted');
    for (const file of [bad, join(folder.path, 'absent.pem')])
      expect(() => read({ KAFKA_SSL: 'true', KAFKA_SSL_CA: file })).toThrow(
        'KAFKA_SSL_CA must be the path of a PEM file',
      );
  });

  it('require the complete credentials of a broker user', () => {
    const whole = {
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: 'ponte',
      KAFKA_SASL_PASSWORD: 'secret',
    };
    expect(read(whole)?.kafka.sasl).toEqual({ mechanism: 'scram-sha-512', username: 'ponte', password: 'secret' });
    expect(() => read({ ...whole, KAFKA_SASL_PASSWORD: '' })).toThrow(
      'KAFKA_SASL_PASSWORD must be set with KAFKA_SASL_MECHANISM',
    );
    expect(() => read({ ...whole, KAFKA_SASL_MECHANISM: 'gssapi' })).toThrow(
      'KAFKA_SASL_MECHANISM must be one of plain',
    );
  });

  it.each([
    ['DATABASE_CONNECTIONS', '0'],
    ['DATABASE_CONNECTIONS', 'many'],
    ['KAFKA_PARTITIONS', '201'],
    ['KAFKA_REPLICATION_FACTOR', '1.5'],
    ['KAFKA_BROKERS', 'nowhere'],
    ['KAFKA_SSL', 'yes'],
    ['KAFKA_PREFIX', 'a b'],
  ])('refuse %s=%s with an error that names the setting', (name, value) =>
    expect(() => read({ [name]: value })).toThrow(name),
  );

  it('use the configured number of connections', () =>
    expect(read({ DATABASE_CONNECTIONS: '20' })?.databaseConnections).toBe(20));
});

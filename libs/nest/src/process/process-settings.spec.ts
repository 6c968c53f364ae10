import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Setting, Variables } from '@ponte/kernel';
import { SettingsReader } from '@ponte/kernel';
import type { ServiceSettings } from './process-settings';
import { ignoredVariables, readProcess } from './process-settings';

const DECLARED: readonly Setting[] = ['PORT', 'KAFKA_BROKERS', 'LEDGER_PIX_KEY', 'CHAIN_RPC_<CHAIN>'].map((name) => ({
  name,
  meaning: name,
  default: '',
}));
const service = (name: string): ServiceSettings => ({
  declared: [{ name, meaning: name, default: '' }],
  read: (env) => new SettingsReader([{ name, meaning: name, default: '' }], env).wholeNumber(name, 1, 9),
});

describe('the settings of a process', () => {
  const read = (env: Variables) =>
    readProcess('test', { PONTE_LOG_LEVEL: 'silent', ...env }, [service('LEDGER_COUNT'), service('ORDERS_COUNT')]);

  it('are all checked before the first error', () => {
    expect(() => read({ PORT: 'x', LEDGER_COUNT: '0', ORDERS_COUNT: 'many', ESDB_URL: 'esdb://store' })).toThrow(
      [
        '5 settings are wrong:',
        'LEDGER_COUNT must be a whole number from 1 to 9',
        'ORDERS_COUNT must be a whole number from 1 to 9',
        'PORT must be a whole number from 0 to 65535',
        'ESDB_URL is set but KAFKA_BROKERS is not: a process of a cluster needs ESDB_URL, KAFKA_BROKERS, DATABASE_URL',
        'PONTE_ENVIRONMENT must be set to sandbox or production for a process of a cluster',
      ].join('\n'),
    );
    expect(read({ PORT: '3001', LEDGER_COUNT: '1', ORDERS_COUNT: '2' })).toMatchObject({
      port: 3001,
      environment: 'sandbox',
    });
  });

  it('refuse an unknown log level and, alone, an unknown environment', () => {
    expect(() => read({ PONTE_LOG_LEVEL: 'loud', LEDGER_COUNT: '1', ORDERS_COUNT: '1' })).toThrow(
      'PONTE_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    );
    expect(() => read({ PONTE_ENVIRONMENT: 'prod', LEDGER_COUNT: '0' })).toThrow(
      /^PONTE_ENVIRONMENT must be one of sandbox, production$/,
    );
  });
});

describe('variables that are ignored', () => {
  it('are those that begin like a setting but are none, with the setting that was probably meant', () => {
    expect(
      ignoredVariables(
        {
          PORT: '1',
          KAFKA_BROKERS: 'a:1',
          CHAIN_RPC_ETH_BASE: 'http://node',
          LEDGER_PIX_KEI: 'k',
          KAFKA_BROKER: 'a:1',
          KAFKA_HEAP_OPTS: '-Xmx1g',
          LEDGER_EMPTY: '',
          HOME: '/root',
          PORTAL_URL: 'x',
        },
        DECLARED,
      ),
    ).toEqual(['KAFKA_BROKER (KAFKA_BROKERS?)', 'KAFKA_HEAP_OPTS', 'LEDGER_PIX_KEI (LEDGER_PIX_KEY?)']);
  });

  it('include those for a chain that does not exist', () => {
    expect(ignoredVariables({ CHAIN_RPC_ETH_BAES: 'http://node', CHAIN_RPC_SOLANA: 'http://node' }, DECLARED)).toEqual([
      'CHAIN_RPC_ETH_BAES (CHAIN_RPC_ETH_BASE?)',
      'CHAIN_RPC_SOLANA',
    ]);
  });

  it('are not those that the guides and the command lines use', () => {
    const root = resolve(__dirname, '../../../..');
    const files = ['docs/site', 'apps/cli/src', 'apps/admin/src'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
    );
    const variables = new Set(files.join('\n').match(/\bPONTE_[A-Z_]+\b/g));
    // A setting of pricing, and a constant of a build.
    for (const other of ['PONTE_PRICING_RULES', 'PONTE_VERSION']) variables.delete(other);
    expect(variables.size).toBeGreaterThan(10);
    const environment = Object.fromEntries([...variables].map((name) => [name, 'x']));
    expect(ignoredVariables(environment, [{ name: 'PONTE_DATA_DIR', meaning: '', default: '' }])).toEqual([]);
    expect(ignoredVariables({ PONTE_DATA_DIT: 'x' }, [{ name: 'PONTE_DATA_DIR', meaning: '', default: '' }])).toEqual([
      'PONTE_DATA_DIT (PONTE_DATA_DIR?)',
    ]);
  });

  it('are not those that Kubernetes sets for its services', () => {
    const links = {
      KAFKA_PORT: 'tcp://10.0.0.7:9092',
      KAFKA_PORT_9092_TCP: 'tcp://10.0.0.7:9092',
      KAFKA_PORT_9092_TCP_ADDR: '10.0.0.7',
      KAFKA_PORT_9092_TCP_PORT: '9092',
      KAFKA_PORT_9092_TCP_PROTO: 'tcp',
      LEDGER_API_SERVICE_HOST: '10.0.0.7',
      LEDGER_API_SERVICE_PORT: '80',
      LEDGER_API_SERVICE_PORT_HTTP: '80',
    };
    expect(ignoredVariables(links, DECLARED)).toEqual([]);
    expect(ignoredVariables({ KAFKA_PORT: '9092' }, DECLARED)).toEqual(['KAFKA_PORT']);
  });
});

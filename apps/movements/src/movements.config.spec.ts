import { readMovementsConfig } from './movements.config';

const RPC = Object.fromEntries(
  ['ETH_MAINNET', 'ETH_BASE', 'TEMPO'].flatMap((chain) => [
    [`CHAIN_RPC_${chain}`, 'https://a.example'],
    [`CHAIN_DEPLOYMENT_${chain}`, '{}'],
  ]),
);

const production = (env: Record<string, string>) =>
  readMovementsConfig({ MOVEMENTS_CHAINS: 'rpc', ...RPC, ...env }, 'production').keystore;

const formerKeys = (env: Record<string, string>) =>
  readMovementsConfig({ MOVEMENTS_CHAINS: 'rpc', ...RPC, KEYSTORE_PASSPHRASE: 'secret', ...env }, 'production')
    .formerKeys;

it('All settings of the chains that production lacks are reported together', () => {
  let message = '';
  try {
    readMovementsConfig({ MOVEMENTS_CHAINS: 'rpc', MOVEMENTS_POLL_MS: '1' }, 'production');
  } catch (error) {
    message = (error as Error).message;
  }
  const [, ...lines] = message.split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    'KEYSTORE_PASSPHRASE',
    ...Object.keys(RPC),
    'MOVEMENTS_POLL_MS',
  ]);
});

describe('The keystore setting of movements', () => {
  it('is the encrypted file by default, with a passphrase that production must set', () => {
    expect(production({ KEYSTORE_PASSPHRASE: 'secret' })).toEqual({ kind: 'file', passphrase: 'secret' });
    expect(() => production({})).toThrow('KEYSTORE_PASSPHRASE must be set in production');
    expect(readMovementsConfig({}, 'sandbox').keystore.kind).toBe('file');
  });

  it('can be AWS KMS, which needs no passphrase', () => {
    expect(production({ KEYSTORE: 'aws-kms' })).toEqual({ kind: 'aws-kms', aliasPrefix: 'alias/ponte/' });
    expect(production({ KEYSTORE: 'aws-kms', KEYSTORE_KMS_ALIAS_PREFIX: 'alias/bank/ponte-' })).toMatchObject({
      aliasPrefix: 'alias/bank/ponte-',
    });
  });

  it.each(['ponte/', 'alias/', 'alias/aws/ponte', 'alias/a b'])('refuses the alias prefix "%s"', (prefix) => {
    expect(() => production({ KEYSTORE: 'aws-kms', KEYSTORE_KMS_ALIAS_PREFIX: prefix })).toThrow(
      'must start with "alias/"',
    );
  });

  it('has no former keys by default', () => {
    expect(formerKeys({})).toEqual([]);
  });

  it('can name a second keystore with former keys, of either kind', () => {
    expect(formerKeys({ FORMER_KEYSTORE: 'file', FORMER_KEYSTORE_PASSPHRASE: 'old' })).toEqual([
      { number: 1, keystore: { kind: 'file', passphrase: 'old' }, count: 1 },
    ]);
    expect(() => formerKeys({ FORMER_KEYSTORE: 'file' })).toThrow('FORMER_KEYSTORE_PASSPHRASE must be set');
    const kms = {
      FORMER_KEYSTORE: 'aws-kms',
      FORMER_KEYSTORE_KMS_ALIAS_PREFIX: 'alias/old/',
      FORMER_OPERATOR_KEYS: '3',
    };
    expect(formerKeys(kms)).toEqual([
      { number: 1, keystore: { kind: 'aws-kms', aliasPrefix: 'alias/old/' }, count: 3 },
    ]);
    expect(() => formerKeys({ FORMER_KEYSTORE: 'aws-kms' })).toThrow('FORMER_KEYSTORE_KMS_ALIAS_PREFIX must start');
  });

  it('can name three former keystores, each without the others', () => {
    const second = {
      FORMER_KEYSTORE_2: 'aws-kms',
      FORMER_KEYSTORE_2_KMS_ALIAS_PREFIX: 'alias/older/',
      FORMER_OPERATOR_KEYS_2: '4',
    };
    const third = { FORMER_KEYSTORE_3: 'file', FORMER_KEYSTORE_3_PASSPHRASE: 'oldest' };
    const two = { number: 2, keystore: { kind: 'aws-kms', aliasPrefix: 'alias/older/' }, count: 4 };
    const three = { number: 3, keystore: { kind: 'file', passphrase: 'oldest' }, count: 1 };
    expect(formerKeys(third)).toEqual([three]);
    const first = { FORMER_KEYSTORE: 'file', FORMER_KEYSTORE_PASSPHRASE: 'old' };
    const one = { number: 1, keystore: { kind: 'file', passphrase: 'old' }, count: 1 };
    expect(formerKeys({ ...third, ...second, ...first })).toEqual([one, two, three]);
    expect(() => formerKeys({ FORMER_KEYSTORE_3: 'file' })).toThrow('FORMER_KEYSTORE_3_PASSPHRASE must be set');
    expect(() => formerKeys({ ...second, FORMER_OPERATOR_KEYS_2: '0' })).toThrow('FORMER_OPERATOR_KEYS_2 must be');
  });

  it('refuses any other value', () => {
    expect(() => production({ KEYSTORE: 'vault' })).toThrow('KEYSTORE must be one of file, aws-kms');
  });
});

describe('The limits of movements', () => {
  const read = (env: Record<string, string>) => readMovementsConfig(env, 'sandbox');

  it('are a minimum amount for each token and a number of transfers per day', () => {
    expect(read({})).toMatchObject({ minimumAmounts: {}, transfersPerDay: 1_000 });
    const env = {
      MOVEMENTS_MINIMUM_AMOUNTS: 'eth-base/brlv=5.00, eth-mainnet/usdc=25',
      MOVEMENTS_TRANSFERS_PER_DAY: '20',
    };
    expect(read(env)).toMatchObject({
      minimumAmounts: { 'eth-base/brlv': '5.00', 'eth-mainnet/usdc': '25' },
      transfersPerDay: 20,
    });
  });

  it('refuse values that are none', () => {
    expect(() => read({ MOVEMENTS_MINIMUM_AMOUNTS: 'brlv=1' })).toThrow(
      'MOVEMENTS_MINIMUM_AMOUNTS: brlv=1 is not asset=amount',
    );
    expect(() => read({ MOVEMENTS_TRANSFERS_PER_DAY: '0' })).toThrow('MOVEMENTS_TRANSFERS_PER_DAY');
  });
});

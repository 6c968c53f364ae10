import { readMovementsConfig } from './movements.config';
import type { FeeLimits } from './sending/fees';

describe('the settings', () => {
  const deployment = JSON.stringify({ minter: '0x1', tokens: {} });
  const rpc = Object.fromEntries(
    ['ETH_MAINNET', 'ETH_BASE', 'TEMPO'].flatMap((chain) => [
      [`CHAIN_RPC_${chain}`, 'https://a.example, https://b.example'],
      [`CHAIN_DEPLOYMENT_${chain}`, deployment],
    ]),
  );

  const gwei = (env: Record<string, string>, of: keyof FeeLimits) =>
    Object.fromEntries(
      Object.entries(readMovementsConfig(env, 'sandbox').feeLimits ?? {}).map(([chain, limits]) => [
        chain,
        Number(limits[of]) / 1e9,
      ]),
    );

  it('of a sandbox all have defaults', () => {
    expect(readMovementsConfig({}, 'sandbox')).toMatchObject({
      chains: { kind: 'local', blockMs: 1_000, finalAfter: 1 },
      pollMs: 5_000,
    });
  });

  it('of production have no default for chains and keys', () => {
    expect(() => readMovementsConfig({}, 'production')).toThrow('KEYSTORE_PASSPHRASE');
    expect(() => readMovementsConfig({ KEYSTORE_PASSPHRASE: 'x' }, 'production')).toThrow('MOVEMENTS_CHAINS');
    const { chains } = readMovementsConfig(
      { ...rpc, KEYSTORE_PASSPHRASE: 'x', MOVEMENTS_CHAINS: 'rpc', CHAIN_CONFIRMATIONS_TEMPO: '2' },
      'production',
    );
    expect(chains).toMatchObject({
      kind: 'rpc',
      chains: [
        { chain: 'eth-mainnet', urls: ['https://a.example', 'https://b.example'], confirmations: 12 },
        { chain: 'eth-base', confirmations: 12 },
        { chain: 'tempo', confirmations: 2 },
      ],
    });
  });

  it.each(['local', 'simulated'])('of production do not allow chains that are %s', (kind) => {
    const env = { ...rpc, KEYSTORE_PASSPHRASE: 'x', MOVEMENTS_CHAINS: kind };
    expect(() => readMovementsConfig(env, 'production')).toThrow('MOVEMENTS_CHAINS must be rpc in production');
    expect(readMovementsConfig(env, 'sandbox').chains).toMatchObject({ kind });
  });

  it('limit the fees of each chain, on eth-base by default to a tenth', () => {
    const limits = (env: Record<string, string>) => gwei(env, 'maxFeePerGas');
    expect(limits({})).toEqual({ 'eth-mainnet': 1_000, 'eth-base': 100, tempo: 1_000 });
    expect(limits({ CHAIN_MAX_FEE_GWEI: '500' })).toEqual({ 'eth-mainnet': 500, 'eth-base': 100, tempo: 500 });
    expect(limits({ CHAIN_MAX_FEE_GWEI: '50', CHAIN_MAX_FEE_GWEI_ETH_BASE: '200' })).toEqual({
      'eth-mainnet': 50,
      'eth-base': 200,
      tempo: 50,
    });
  });

  it('limit the tips of each chain and the fees of a whole transaction', () => {
    expect(gwei({}, 'maxPriorityFeePerGas')).toEqual({ 'eth-mainnet': 5, 'eth-base': 1, tempo: 5 });
    expect(gwei({ CHAIN_MAX_TIP_GWEI_ETH_BASE: '7' }, 'maxPriorityFeePerGas')).toMatchObject({ 'eth-base': 7 });
    const coins = 1_000_000_000;
    expect(gwei({}, 'maxFee')).toEqual({ 'eth-mainnet': 0.95 * coins, 'eth-base': 0.95 * coins, tempo: 0.95 * coins });
    const higher = { CHAIN_MAX_TRANSACTION_FEE_GWEI_ETH_MAINNET: '9000000000' };
    expect(gwei(higher, 'maxFee')).toMatchObject({ 'eth-mainnet': 9 * coins, tempo: 0.95 * coins });
  });

  it('allow outside transfers where the nodes of a sandbox are anvils, and never in production', () => {
    const anvil = { ...rpc, MOVEMENTS_CHAINS: 'rpc', CHAIN_OUTSIDER: 'anvil', KEYSTORE_PASSPHRASE: 'x' };
    expect(readMovementsConfig(anvil, 'sandbox').chains).toMatchObject({ kind: 'rpc', outsider: true });
    expect(readMovementsConfig({ ...anvil, CHAIN_OUTSIDER: '' }, 'production').chains).toMatchObject({
      outsider: false,
    });
    expect(() => readMovementsConfig(anvil, 'production')).toThrow('CHAIN_OUTSIDER');
  });

  it.each([
    ['CHAIN_OUTSIDER', 'yes'],
    ['MOVEMENTS_CHAINS', 'other'],
    ['CHAIN_RPC_TEMPO', ''],
    ['CHAIN_RPC_TEMPO', 'file:///etc'],
    ['CHAIN_DEPLOYMENT_TEMPO', '{'],
    ['CHAIN_CONFIRMATIONS_TEMPO', '0'],
    ['CHAIN_MAX_FEE_GWEI_TEMPO', '1001'],
    ['CHAIN_MAX_TIP_GWEI_TEMPO', '0'],
    ['CHAIN_MAX_TRANSACTION_FEE_GWEI_TEMPO', '1'],
    ['MOVEMENTS_POLL_MS', 'soon'],
  ])('are rejected with the name of the wrong one: %s', (name, value) => {
    expect(() => readMovementsConfig({ ...rpc, MOVEMENTS_CHAINS: 'rpc', [name]: value }, 'sandbox')).toThrow(name);
  });
});

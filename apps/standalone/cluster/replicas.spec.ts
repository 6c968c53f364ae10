import { replicasOf } from './replicas';

test('a service gets its own settings and unknown variables, but no settings that only other services have', () => {
  const env = {
    PATH: '/bin',
    PONTE_LOG_LEVEL: 'info',
    PONTE_LOG_LEVL: 'info',
    PONTE_RATES: 'simulated',
    BLOBS_FOLDER: 'blobs',
    CHAIN_RPC_ETH_BASE: 'http://node',
  };
  const given = Object.fromEntries(
    replicasOf(1, env, [3000]).map(({ service, env: own }) => [
      service,
      Object.keys(own).filter((name) => name in env && !['PATH', 'PONTE_LOG_LEVEL', 'PONTE_LOG_LEVL'].includes(name)),
    ]),
  );
  expect(given).toEqual({
    ...{ gateway: ['BLOBS_FOLDER'], onboarding: ['BLOBS_FOLDER'], pricing: ['PONTE_RATES'] },
    ...{ movements: ['CHAIN_RPC_ETH_BASE'], orders: [], ledger: [], webhooks: [] },
  });
  for (const { env: own } of replicasOf(1, env, [3000]))
    expect(own).toMatchObject({ PATH: '/bin', PONTE_LOG_LEVEL: 'info', PONTE_LOG_LEVL: 'info' });
});

import { Dice } from './dice';
import { readSettings } from './settings';

describe('the settings of a chaos run', () => {
  it('have the documented defaults and are validated', () => {
    expect(readSettings({})).toMatchObject({
      rate: 50,
      maxRequests: 500,
      kills: 10,
      minutes: 25,
      accounts: 8,
      replicas: 1,
      chains: 'local',
    });
    expect(readSettings({}).targets).toHaveLength(10);
    expect(readSettings({ CHAOS_TARGETS: 'kafka, orders', CHAOS_SEED: '7' })).toMatchObject({
      targets: ['kafka', 'orders'],
      seed: 7,
    });
    expect(() => readSettings({ CHAOS_TARGETS: 'zookeeper' })).toThrow('unknown target zookeeper');
    expect(readSettings({ CHAOS_CHAINS: 'simulated' }).chains).toBe('simulated');
    expect(() => readSettings({ CHAOS_CHAINS: 'some' })).toThrow('CHAOS_CHAINS');
    expect(() => readSettings({ CHAOS_RATE: '0' })).toThrow('CHAOS_RATE');
  });

  it('repeat the order of the kills with the same seed', () => {
    const order = (seed: number): string[] => new Dice(seed).shuffled(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(order(7)).toEqual(order(7));
    expect([...order(7)].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(new Set([1, 2, 3, 4, 5].map((seed) => order(seed).join(''))).size).toBeGreaterThan(1);
  });
});

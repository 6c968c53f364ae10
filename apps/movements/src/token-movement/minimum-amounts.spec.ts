import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import {
  minimumOf,
  minimumViolations,
  parseMinimumAmounts,
  withdrawalMinimumViolations,
} from './minimum-amounts.domain';

const BASE = 'eth-base/usdc';
const MAINNET = 'eth-mainnet/usdc';
const usdc = (amount: string, asset: AssetId = BASE) => Money.parse(asset, amount);

describe('The minimum amount of a transfer', () => {
  it('is one unit of the token, and ten on eth-mainnet', () => {
    expect(minimumOf({}, 'eth-base/brlv').toString()).toBe('1.000000000000000000');
    expect(minimumOf({}, 'tempo/brlv').toString()).toBe('1.000000000000000000');
    expect(minimumOf({}, BASE).toString()).toBe('1.000000');
    expect(minimumOf({}, MAINNET).toString()).toBe('10.000000');
  });

  it('can be set for each token', () => {
    const minimums = parseMinimumAmounts(['eth-base/usdc=0.5', 'eth-mainnet/usdc=25.000000']);
    expect(minimums).toEqual({ 'eth-base/usdc': '0.5', 'eth-mainnet/usdc': '25.000000' });
    expect(minimumViolations(usdc('0.500000'), minimums)).toEqual([]);
    expect(minimumViolations(usdc('24.999999', MAINNET), minimums)).toHaveLength(1);
    expect(minimumOf(minimums, 'eth-base/usdt').toString()).toBe('1.000000');
  });

  it.each([
    [['usdc=1'], 'usdc=1 is not asset=amount'],
    [['eth-base/usdc'], 'eth-base/usdc is not asset=amount'],
    [['eth-base/usdc=1=2'], 'is not asset=amount'],
    [['eth-base/usdc=-1'], 'is not asset=amount'],
    [['fiat/brl=1.00'], 'with the asset of a token'],
    [['eth-base/usdc=0.0000001'], 'at most 6 decimal places'],
    [['eth-base/usdc=0.00'], 'must be greater than zero'],
  ])('cannot be %j', (words, message) => {
    expect(() => parseMinimumAmounts(words)).toThrow(message);
  });

  it('is named by the violation of a smaller amount', () => {
    expect(minimumViolations(usdc('1.000000'), {})).toEqual([]);
    const message = 'must be at least 1.000000 of eth-base/usdc';
    for (const amount of ['0.999999', '0.000001', '0'])
      expect(minimumViolations(usdc(amount), {})).toEqual([{ code: 'amount-below-minimum', path: 'amount', message }]);
  });
});

describe('The minimum amount of a withdrawal', () => {
  const found = (amount: string, available: string, asset: AssetId = MAINNET, minimums = {}) =>
    withdrawalMinimumViolations(usdc(amount, asset), usdc(available, asset), minimums).map(({ message }) => message);

  it('does not apply to the whole available balance, if that is at least one unit', () => {
    expect([found('10', '100'), found('9.999999', '9.999999'), found('1', '1')]).toEqual([[], [], []]);
    const message = 'must be at least 10.000000 of eth-mainnet/usdc, or the whole available balance from 1.000000 on';
    expect([found('9.999999', '10'), found('0.999999', '0.999999'), found('5', '4')]).toEqual([
      [message],
      [message],
      [message],
    ]);
  });

  it('leaves no balance that can neither be withdrawn nor written off when the account is closed', () => {
    expect([found('1', '100', BASE), found('1', '1', BASE)]).toEqual([[], []]);
    const message = 'must be at least 1.000000 of eth-base/usdc';
    expect([found('0.999999', '0.999999', BASE), found('0.999999', '2', BASE)]).toEqual([[message], [message]]);
  });

  it('can be set below one unit', () => {
    const minimums = { [MAINNET]: '0.2' };
    expect([found('0.2', '5', MAINNET, minimums), found('0.2', '0.2', MAINNET, minimums)]).toEqual([[], []]);
    expect(found('0.199999', '0.199999', MAINNET, minimums)).toEqual(['must be at least 0.200000 of eth-mainnet/usdc']);
  });
});

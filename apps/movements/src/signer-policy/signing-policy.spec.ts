import type { Hex } from '../chain/chain.port';
import { HourlyLimits, SigningRefused, parseSignerLimits } from './signing-policy';

const MINUTE_MS = 60_000;
const USDC = 'eth-base/usdc';

describe('the hourly limits of the signer', () => {
  const reference = (one: number): Hex => `0x${one.toString(16).padStart(64, '0')}`;
  let clock: number;
  let limits: HourlyLimits;
  const take = (one: number, units: bigint, contract: Hex = '0xa'): void =>
    limits.take({ chainId: 8453, contract, asset: USDC, reference: reference(one), units });

  beforeEach(() => {
    clock = 1_000_000;
    limits = new HourlyLimits(
      () => ({ perTransaction: 100n, perHour: 150n }),
      () => clock,
    );
  });

  it('count a reference once, with its largest amount', () => {
    take(1, 60n);
    take(1, 60n);
    take(1, 50n);
    take(1, 90n);
    take(2, 60n);
    expect(() => take(3, 1n)).toThrow(SigningRefused);
  });

  it('count a reference once per contract, because each contract accepts it', () => {
    take(1, 100n, '0xa');
    expect(() => take(1, 51n, '0xb')).toThrow(SigningRefused);
    take(1, 50n, '0xb');
  });

  it('reserve nothing for what they refuse', () => {
    take(1, 100n);
    expect(() => take(2, 51n)).toThrow('more of eth-base/usdc than allowed per hour');
    take(3, 50n);
    expect(() => take(1, 101n)).toThrow('more of eth-base/usdc than allowed per transaction');
  });

  it('allow what has a nonce once more, so that it does not block its key', () => {
    take(1, 100n);
    const numbered = (one: number, units: bigint) =>
      limits.take({ chainId: 8453, contract: '0xa', asset: USDC, reference: reference(one), units }, true);
    numbered(2, 100n);
    expect(() => take(3, 1n)).toThrow(SigningRefused);
    expect(() => numbered(4, 101n)).toThrow('more of eth-base/usdc than allowed per transaction');
    numbered(5, 100n);
    expect(() => numbered(6, 1n)).toThrow('more of eth-base/usdc than allowed per hour');
    // It is signed with its nonce.
    take(2, 100n);
  });

  it('release amounts that are older than an hour, and no others', () => {
    take(1, 100n);
    clock += 40 * MINUTE_MS;
    take(2, 50n);
    clock += 20 * MINUTE_MS;
    take(3, 100n);
    expect(() => take(4, 1n)).toThrow(SigningRefused);
    clock += 40 * MINUTE_MS;
    take(4, 50n);
    expect(() => take(5, 1n)).toThrow(SigningRefused);
  });

  it('include what was signed elsewhere, even if that is too much, until it is an hour old', () => {
    const count = (one: number, units: bigint, ageMs: number): void =>
      limits.count({ chainId: 8453, contract: '0xa', asset: USDC, reference: reference(one), units }, ageMs);
    count(1, 140n, 40 * MINUTE_MS);
    count(1, 140n, 40 * MINUTE_MS);
    count(2, 60n, 0);
    count(3, 1_000n, 60 * MINUTE_MS);
    take(1, 90n);
    expect(() => take(4, 1n)).toThrow(SigningRefused);
    clock += 20 * MINUTE_MS;
    take(4, 90n);
    expect(() => take(5, 1n)).toThrow(SigningRefused);
  });

  it('release an amount although an earlier reference was raised after it', () => {
    take(1, 10n);
    clock += MINUTE_MS;
    take(2, 50n);
    clock += MINUTE_MS;
    take(1, 100n);
    clock += 59 * MINUTE_MS;
    take(3, 50n);
    expect(() => take(4, 1n)).toThrow(SigningRefused);
  });
});

describe('the limits of the signer', () => {
  it('are parsed, and an error names the invalid asset', () => {
    expect(parseSignerLimits('{}')).toEqual({});
    expect(parseSignerLimits('{"eth-base/brlv":{"transaction":"1","hour":"2"}}')).toEqual({
      'eth-base/brlv': { transaction: '1', hour: '2' },
    });
    for (const text of [
      '{"fiat/brl":{"transaction":"1","hour":"2"}}',
      '{"eth-base/brlv":{"transaction":1,"hour":"2"}}',
      '{"doge":{}}',
    ]) {
      expect(() => parseSignerLimits(text)).toThrow(/must be a token with the decimal strings/);
    }
    expect(() => parseSignerLimits('{"eth-base/brlv":{"transaction":"x","hour":"2"}}')).toThrow('plain decimal');
  });
});

import { Unavailable } from '@ponte/kernel';
import type { Hex } from '../chain.port';
import type { BalanceNode } from './gas-balance';
import { gasBalanceOn } from './gas-balance';

const HOLDER: Hex = `0x${'ab'.repeat(20)}`;
const USD: Hex = `0x20c0${'0'.repeat(35)}1`;
const PATH_USD: Hex = `0x20c0${'0'.repeat(36)}`;
/** What Tempo answers to `eth_getBalance`, for every address. */
const CONSTANT = '0x9612084f0316e0ebd5182f398e5195a51b5ca47667d4c9b26c9b26c9b26c9b2';

/** A node whose contract for fees answers so, with these balances of tokens. */
const nodeWith = (userToken: Hex | null, balances: Readonly<Record<Hex, bigint>>, coins: unknown): BalanceNode => ({
  rpc: async <T>() => coins as T,
  callData: async () => userToken,
  tokenBalance: async (token) => balances[token] ?? 0n,
});
const word = (address: Hex): Hex => `0x${'0'.repeat(24)}${address.slice(2)}`;
const NONE = word(`0x${'0'.repeat(40)}`);
const balances = { [PATH_USD]: 3_000_000n, [USD]: 7n };

describe('the balance that pays gas', () => {
  it('is the balance of coins', async () => {
    await expect(gasBalanceOn(nodeWith(null, {}, '0x10'), 'eth-base', HOLDER)).resolves.toBe(16n);
  });

  it('is the balance of the chosen fee token on Tempo, or of pathUSD, in the unit of the gas price', async () => {
    await expect(gasBalanceOn(nodeWith(NONE, balances, CONSTANT), 'tempo', HOLDER)).resolves.toBe(3n * 10n ** 18n);
    await expect(gasBalanceOn(nodeWith(word(USD), balances, CONSTANT), 'tempo', HOLDER)).resolves.toBe(7n * 10n ** 12n);
    await expect(gasBalanceOn(nodeWith(NONE, {}, CONSTANT), 'tempo', HOLDER)).resolves.toBe(0n);
  });

  it('is the balance of coins on a local chain in place of Tempo', async () => {
    await expect(gasBalanceOn(nodeWith(null, {}, '0x10'), 'tempo', HOLDER)).resolves.toBe(16n);
  });

  it.each([CONSTANT, null, undefined, '16'])('is not known when the node answers %s', async (coins) => {
    await expect(gasBalanceOn(nodeWith(null, {}, coins), 'tempo', HOLDER)).rejects.toBeInstanceOf(Unavailable);
  });
});

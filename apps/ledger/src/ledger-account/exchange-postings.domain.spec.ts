import type { ExchangeCharges } from '@ponte/contracts';
import { NO_CHARGES } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import { creditedTo, exchangePostings } from './exchange-postings.domain';
import { sumsOf } from './postings.domain';

const money = (asset: AssetId, amount: string): Money => Money.parse(asset, amount);
const postings = (debit: Money, credit: Money, charges: ExchangeCharges = NO_CHARGES, custody = true) =>
  exchangePostings({ accountId: 'a1', debit, credit, charges, custody });
const lines = (...exchange: Parameters<typeof postings>) =>
  postings(...exchange)?.map(({ account, asset, amount }) => `${account} ${asset} ${amount}`);

describe('The postings of an exchange', () => {
  it('of BRL for BRLV move the BRL to the reserve and issue the same number of tokens', () => {
    expect(lines(money('fiat/brl', '60.00'), money('tempo/brlv', '60.000000000000000000'))).toEqual([
      'customer:a1 fiat/brl -60.00',
      'house:reserve fiat/brl 60.00',
      'house:issuance tempo/brlv -60.000000000000000000',
      'customer:a1 tempo/brlv 60.000000000000000000',
    ]);
  });

  it('of BRLV for BRL take the tokens back and pay from the reserve', () => {
    expect(lines(money('eth-mainnet/brlv', '60.000000000000000000'), money('fiat/brl', '60.00'))).toEqual([
      'customer:a1 eth-mainnet/brlv -60.000000000000000000',
      'house:issuance eth-mainnet/brlv 60.000000000000000000',
      'house:reserve fiat/brl -60.00',
      'customer:a1 fiat/brl 60.00',
    ]);
  });

  // A purchase for 1000.00 BRL at 5.3412 with 80 bps, a fee of 2.00 and 3.5 % IOF.
  it('of BRL for USDC split off spread, fee and IOF, and move the market value to the FX position', () => {
    const charges = { spread: '7.66', fee: '2.00', tax: '33.75' };
    expect(lines(money('fiat/brl', '1000.00'), money('eth-base/usdc', '179.096457'), charges)).toEqual([
      'customer:a1 fiat/brl -956.59',
      'house:fx-position fiat/brl 956.59',
      'customer:a1 fiat/brl -7.66',
      'house:spread fiat/brl 7.66',
      'customer:a1 fiat/brl -2.00',
      'house:fees fiat/brl 2.00',
      'customer:a1 fiat/brl -33.75',
      'house:tax fiat/brl 33.75',
      'house:treasury eth-base/usdc -179.096457',
      'customer:a1 eth-base/usdc 179.096457',
    ]);
  });

  // A sale of 100 USDC at 5.3412 with 80 bps and a fee of 2.00.
  it('of USDC for BRL pay the market value less the charges', () => {
    const sale = [money('eth-mainnet/usdc', '100.000000'), money('fiat/brl', '527.84')] as const;
    expect(lines(...sale, { spread: '4.28', fee: '2.00', tax: '0.00' })).toEqual([
      'house:fx-position fiat/brl -534.12',
      'customer:a1 fiat/brl 534.12',
      'customer:a1 fiat/brl -4.28',
      'house:spread fiat/brl 4.28',
      'customer:a1 fiat/brl -2.00',
      'house:fees fiat/brl 2.00',
      'customer:a1 eth-mainnet/usdc -100.000000',
      'house:treasury eth-mainnet/usdc 100.000000',
    ]);
  });

  it('of vault shares move their BRL to and from the reserve, at any price per share', () => {
    const shares = money('eth-base/wbrly', '90.909090909090909090');
    expect(lines(money('fiat/brl', '100.00'), shares)).toContain('house:reserve fiat/brl 100.00');
    expect(lines(shares, money('fiat/brl', '100.00'))).toContain('house:reserve fiat/brl -100.00');
  });

  it('credit nothing to the account if the tokens leave our custody', () => {
    const credit = money('eth-base/usdt', '18.000000');
    const charges = { spread: '1.00', fee: '0.00', tax: '0.00' };
    expect(lines(money('fiat/brl', '100.00'), credit, charges, false)).toContain(
      'house:external eth-base/usdt 18.000000',
    );
    expect(creditedTo({ credit, custody: false })).toBeNull();
    expect(creditedTo({ credit: money('fiat/brl', '1.00'), custody: false })).toEqual({
      asset: 'fiat/brl',
      amount: '1.00',
    });
  });

  it('sum to zero per asset for every pair', () => {
    const pairs: [Money, Money, ExchangeCharges][] = (['USDC', 'USDT'] as const).flatMap((symbol) => {
      const token = money(`eth-base/${symbol.toLowerCase()}` as AssetId, '10.000000');
      const charges = { spread: '0.43', fee: '2.00', tax: '1.11' };
      return [
        [money('fiat/brl', '60.00'), token, charges],
        [token, money('fiat/brl', '50.00'), charges],
      ];
    });
    for (const pair of pairs) expect([...sumsOf(postings(...pair) ?? []).values()]).toEqual([0n, 0n]);
  });

  it.each([
    [
      'BRLV that is not one to one',
      money('fiat/brl', '1.00'),
      money('eth-base/brlv', '1.000000000000000001'),
      NO_CHARGES,
    ],
    [
      'redeemed BRLV with a fraction of a centavo',
      money('eth-base/brlv', '1.005000000000000000'),
      money('fiat/brl', '1.00'),
      NO_CHARGES,
    ],
    ['a pair without BRL', money('eth-base/usdc', '1.000000'), money('eth-base/usdt', '1.000000'), NO_CHARGES],
    [
      'a token that cannot be converted',
      money('fiat/brl', '1.00'),
      money('eth-base/brly', '1.000000000000000000'),
      NO_CHARGES,
    ],
    [
      'charges on BRLV',
      money('fiat/brl', '1.00'),
      money('eth-base/brlv', '1.000000000000000000'),
      { ...NO_CHARGES, fee: '0.01' },
    ],
    [
      'charges that consume the whole debit',
      money('fiat/brl', '2.00'),
      money('eth-base/usdc', '1.000000'),
      { ...NO_CHARGES, fee: '2.00' },
    ],
    [
      'a negative charge',
      money('fiat/brl', '2.00'),
      money('eth-base/usdc', '1.000000'),
      { ...NO_CHARGES, spread: '-0.01' },
    ],
  ])('do not exist for %s', (_what, debit, credit, charges) => {
    expect(postings(debit, credit, charges)).toBeUndefined();
  });
});

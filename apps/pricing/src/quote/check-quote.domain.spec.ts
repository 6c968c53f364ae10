import { Refusal } from '@ponte/kernel';
import type { IssuedQuote } from '@ponte/contracts';
import { checkQuoteFor } from './check-quote.domain';
import { BRL } from '../price/conversion.domain';
import { priceQuote } from '../price/price-quote.domain';
import { NOON, rules, everything, facts, asking, fx, withAccount } from './quote-requests.testing';

describe('a quote checked again for the account of an order', () => {
  const terms = priceQuote(
    asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', tradeReason: 'international-travels', rateLock: '5m' }),
    facts,
  );
  const check = (quoted: IssuedQuote, ...[account]: [ReturnType<typeof withAccount>]) => {
    try {
      checkQuoteFor(quoted, account.account, rules, NOON);
    } catch (error) {
      return error instanceof Refusal ? error.violations.map(({ code, path }) => `${code} ${path}`.trim()) : error;
    }
    return 'ok';
  };

  it('is refused, with the codes of a quote, for what that account may not do', () => {
    expect(check(terms, withAccount('active', ...everything))).toBe('ok');
    expect(check(terms, withAccount('active'))).toEqual([
      'trade-reason-not-enabled quote-id',
      'rate-lock-not-enabled quote-id',
    ]);
    expect(check(terms, withAccount('frozen', ...everything))).toEqual(['account-not-active']);
    expect(check({ ...terms, sourceAmount: '9.99' }, withAccount('active', ...everything))).toEqual([
      'amount-below-minimum quote-id',
    ]);
  });

  it('keeps a rate lock that has ended as planned, but not one that an operator ended or removed since', () => {
    const END = NOON + 60_000;
    const ending = (at: number | null) => ({
      ...rules,
      rateLocks: rules.rateLocks.flatMap((row) =>
        row.name !== '5m' ? [row] : at === null ? [] : [{ ...row, validTo: at }],
      ),
    });
    const request = asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', ...fx, rateLock: '5m' });
    const given = (at: number) => priceQuote(request, { ...facts, rules: ending(at) });
    const { account } = withAccount('active', ...everything);
    const checked = (quoted: IssuedQuote, at: number | null, one = account) => {
      try {
        checkQuoteFor(quoted, one, ending(at), END + 1);
      } catch (error) {
        return error instanceof Refusal ? `${error.code}: ${error.message}` : error;
      }
      return 'ok';
    };
    expect(checked(given(END), END)).toBe('ok');
    const withdrawn = 'rate-lock-not-enabled: this rate lock is no longer offered';
    for (const [planned, at] of [
      [Infinity, END],
      [END, END - 1],
      [END, null],
    ] as const)
      expect(checked(given(planned), at)).toBe(withdrawn);
    expect(checked(given(END), END, withAccount('active').account)).toBe(
      'rate-lock-not-enabled: this rate lock is not enabled for the account',
    );
  });

  it('is held to the limits in both directions, at the scale of each side', () => {
    const sold = priceQuote(asking('eth-base/usdc', BRL, { sourceAmount: '100', ...fx }), facts);
    expect(check(sold, withAccount('active'))).toBe('ok');
    expect(check({ ...sold, targetAmount: '9.99' }, withAccount('active'))).toEqual(['amount-below-minimum quote-id']);
    expect(check({ ...sold, sourceAmount: '50000.000001' }, withAccount('active'))).toEqual([
      'amount-above-maximum quote-id',
    ]);
  });

  it('is refused for a pair that no longer has a price', () => {
    expect(check({ ...terms, targetAsset: 'eth-base/brly' }, withAccount('active', ...everything))).toEqual([
      'asset-pair-not-supported quote-id',
    ]);
  });

  it('needs no capability for a same-currency quote', () => {
    expect(check(priceQuote(asking(BRL, 'tempo/brlv', { sourceAmount: '5' }), facts), withAccount('active'))).toBe(
      'ok',
    );
  });
});

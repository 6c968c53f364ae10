import { ExchangePosted } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import fc from 'fast-check';
import { exchangePostings } from '../ledger-account/exchange-postings.domain';
import { addedUp } from '../testing/added-up';
import { ledgerExamples, sectionOf, tableOf } from '../testing/ledger-document';
import type { FxDay } from './fx-day.domain';
import { fxReport, fxTradeOf, iofPeriods } from './fx-day.domain';

const USDC: AssetId = 'eth-base/usdc';
type Amount = readonly [AssetId, string];

function posted(debit: Amount, credit: Amount, charges: readonly [string, string, string], at: string): ExchangePosted {
  const [spread, fee, tax] = charges;
  const kept = { spread, fee, tax };
  const [from, to] = [Money.parse(...debit), Money.parse(...credit)];
  const postings = exchangePostings({ accountId: 'a', debit: from, credit: to, charges: kept, custody: true });
  if (!postings) throw new Error('the exchange must have postings');
  return new ExchangePosted({
    accountId: 'a',
    postingId: 'p',
    holdId: 'h',
    orderId: 'o',
    debit: { asset: debit[0], amount: debit[1] },
    credit: null,
    postings,
    charges: kept,
    deliveryHold: null,
    postedAt: at,
  });
}
const trade = (...of: Parameters<typeof posted>): FxDay => {
  const trade = fxTradeOf(posted(...of).data);
  if (!trade) throw new Error('the exchange must be a trade');
  return trade;
};

const NOON = '2026-03-02T15:00:00.000Z';
/** An FX conversion from the worked examples of docs/ledger-examples.md. */
function tradeOf(title: string): FxDay {
  const input = ledgerExamples().find((example) => example.title === title)?.input;
  const amount = (text = '') => text.split(' ') as unknown as Amount;
  const { debit, credit, spread = '0.00', fee = '0.00', tax = '0.00' } = input ?? {};
  return trade(amount(debit), amount(credit), [spread, fee, tax], NOON);
}
const bought = tradeOf('BRL → USDC');
const sold = tradeOf('USDC → BRL, to a Pix key');
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('A trade with the treasury', () => {
  it('is read from its postings, at market value', () => {
    expect(bought).toMatchObject({ day: '2026-03-02', asset: USDC, tokensSold: 179_096_457n, brlReceived: 956_59n });
    expect(sold).toMatchObject({ tokensBought: 100_000_000n, brlPaid: 534_12n, spread: 4_28n, fees: 2_00n, iof: 0n });
  });

  it('belongs to the day in São Paulo', () => {
    const late = trade([USDC, '1.000000'], ['fiat/brl', '5.00'], ['0.00', '0.00', '0.00'], '2026-03-03T02:59:59.999Z');
    expect(late.day).toBe('2026-03-02');
  });

  it('does not include conversions of BRLV', () => {
    const mint = posted(['fiat/brl', '1.00'], ['eth-base/brlv', '1.0'], ['0.00', '0.00', '0.00'], NOON);
    expect(fxTradeOf(mint.data)).toBeUndefined();
  });
});

describe('The FX report', () => {
  it('has the position and profit of the worked example in docs/ledger/finance.md', () => {
    const [, example = ''] = sectionOf('ledger/finance.md', 'Reports').split('Worked example');
    const [, ...rows] = tableOf(example);
    const expected = Object.fromEntries(rows.map(([column = '', value]) => [camel(column), value]));
    expect(fxReport([addedUp(bought, sold)], '2026-03-01')).toEqual([
      { day: '2026-03-02', asset: USDC, trades: 2, ...expected },
    ]);
  });

  it('includes the position from days before the period', () => {
    const later = { ...sold, day: '2026-03-05' };
    const [row, ...others] = fxReport([bought, later], '2026-03-03');
    expect(others).toEqual([]);
    expect(row).toMatchObject({ day: '2026-03-05', tokenPosition: '-79.096457', brlPosition: '422.47' });
  });

  it('adds up: the total profit is spread, fees and the value of the last position', () => {
    const minor = fc.bigInt({ min: 1n, max: 10n ** 9n });
    const days = fc.array(fc.tuple(minor, minor, minor, minor, minor, minor), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(days, (all) => {
        const rows = all.map(([tokensSold, brlReceived, tokensBought, brlPaid, spread, fees], at): FxDay => ({
          ...{ day: `2026-03-${String(at + 1).padStart(2, '0')}`, asset: USDC, trades: 1, iof: 0n },
          ...{ tokensSold, brlReceived, tokensBought, brlPaid, spread, fees },
        }));
        const report = fxReport(rows, '2026-03-01');
        const centavos = (text: string) => Money.stored('fiat/brl', text).minor;
        const profit = report.reduce((sum, day) => sum + centavos(day.profit), 0n);
        const earned = rows.reduce((sum, { spread, fees }) => sum + spread + fees, 0n);
        const last = report.at(-1);
        if (!last) throw new Error('the report must have a row');
        const rate = BigInt(last.rate.replace('.', ''));
        const tokens = Money.stored(USDC, last.tokenPosition).minor;
        const unit = 10n ** 14n;
        const value = (tokens * rate) / unit - ((tokens * rate) % unit < 0n ? 1n : 0n);
        expect(profit).toBe(earned + centavos(last.brlPosition) + value);
      }),
    );
  });
});

describe('IOF payable', () => {
  it('is summed by day or month', () => {
    const days = [bought, { ...bought, day: '2026-03-31' }, { ...bought, day: '2026-04-01' }];
    expect(iofPeriods(days, '2026-03-01', 'month')).toEqual([
      { period: '2026-03', trades: 2, amount: '67.50' },
      { period: '2026-04', trades: 1, amount: '33.75' },
    ]);
    expect(iofPeriods(days, '2026-03-31', 'day').map(({ period }) => period)).toEqual(['2026-03-31', '2026-04-01']);
  });
});

import type { WireBacktest } from './rules-tables';
import { backtestTable } from './rules-tables';

const PAIR = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/usdc' };
const TOTALS = { source: '0.00', target: '0.000000', spread: '0.00', fee: '0.00', iof: '0.00' };
const REPORT: WireBacktest = {
  ...{ proposed: { version: 'v2', id: null }, at: '2026-05-13T14:00:00.000Z' },
  ...{ quotes: 1, changed: 1, refused: 1, largest: null },
  pairs: [{ ...PAIR, quotes: 1, changed: 1, refused: 1, old: TOTALS, proposed: TOTALS }],
  items: [
    {
      ...{ 'quote-id': 'q-1', ...PAIR, old: { 'source-amount': '1000.00', 'target-amount': '185.364712' } },
      ...{ proposed: null, refusal: 'amount-above-maximum', changed: true },
      'refusal-message': 'source-amount: the amount is above the maximum of 999.99 BRL',
      ...{ difference: null, 'difference-bps': null },
    },
  ],
};

describe('the printed back-test', () => {
  it('names the limit that refuses a quote', () => {
    expect(backtestTable(REPORT)).toContain(
      'q-1    fiat/brl > eth-base/usdc  1000.00 > 185.364712  refused: amount-above-maximum (source-amount: the amount is above the maximum of 999.99 BRL)',
    );
  });
});

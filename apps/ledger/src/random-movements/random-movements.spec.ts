import { PAIRS } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import fc from 'fast-check';
import { ledgerAccount } from '../ledger-account/ledger-account.decider';
import type { FxDay } from '../reports/fx-day.domain';
import { fxReport, fxTradeOf, iofPeriods } from '../reports/fx-day.domain';
import { addedUp } from '../testing/added-up';
import { CheckedBooks } from '../testing/checked-books';
import { commandOf, conversion, conversionCommands, movement } from '../testing/random-movements';

const RUNS = 400;

const minorOf = (asset: AssetId, text: string): bigint => Money.stored(asset, text).minor;

/** The totals of the reports on these exchanges: per token, and for BRL over all tokens. */
function reported(exchanges: CheckedBooks['exchanges']): Map<string, bigint> {
  const days = new Map<AssetId, FxDay>();
  for (const trade of exchanges.map(fxTradeOf)) {
    const known = trade && days.get(trade.asset);
    if (trade) days.set(trade.asset, known ? addedUp(known, trade) : trade);
  }
  const lines = new Map<string, bigint>();
  const add = (line: string, minor: bigint) => lines.set(line, (lines.get(line) ?? 0n) + minor);
  for (const row of fxReport([...days.values()], '2027-01-01')) {
    add(`house:treasury ${row.asset}`, minorOf(row.asset, row.tokenPosition));
    add('house:fx-position fiat/brl', minorOf('fiat/brl', row.brlPosition));
    add('house:spread fiat/brl', minorOf('fiat/brl', row.spread));
    add('house:fees fiat/brl', minorOf('fiat/brl', row.fees));
  }
  for (const { amount } of iofPeriods([...days.values()], '2027-01-01', 'month'))
    add('house:tax fiat/brl', minorOf('fiat/brl', amount));
  return lines;
}
const REPORTED = /^house:(treasury|fx-position|spread|fees|tax) /;

/** Tokens that a reorg removed from the treasury are not a trade, so they are in no report of trades. */
const withoutTreasuryLoss = movement.filter((one) => one.kind !== 'loss' || one.path.to !== 'treasury');

describe('Random mixes of deposits, charges, exchanges, deliveries, transfers, withdrawals and reversals', () => {
  it('keep the sum of all books at zero at every prefix, with a negative balance only after a take-back', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(movement, { minLength: 60, maxLength: 200 }), (movements) => {
        const books = new CheckedBooks();
        for (const one of movements) {
          const fault = books.act(commandOf(one));
          if (fault !== null) throw new Error(fault);
        }
        for (const type of books.seen.keys()) seen.add(type);
        for (const [line, minor] of books.lines) if (line.startsWith('house:clearing ')) expect(minor).toBe(0n);
      }),
      { numRuns: RUNS },
    );
    expect([...seen].sort()).toEqual(ledgerAccount.events.map(({ type }) => type).sort());
  });

  it('keep the supply of BRLV equal to its reserve, and the reports equal to the books, over all pairs', () => {
    const traded = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(fc.oneof(withoutTreasuryLoss, conversion), { minLength: 60, maxLength: 200 }),
        (movements) => {
          const books = new CheckedBooks();
          const commands = movements.flatMap((one, at) =>
            'buys' in one ? conversionCommands(one, `conversion-${at}`) : [commandOf(one)],
          );
          for (const command of commands) {
            const fault = books.act(command);
            if (fault !== null) throw new Error(fault);
          }
          for (const { debit, postings } of books.exchanges) {
            const token = postings.find(({ asset }) => asset !== 'fiat/brl')?.asset;
            traded.add(`${debit.asset === 'fiat/brl' ? 'buy' : 'sell'} ${token}`);
          }
          const reportedLines = reported(books.exchanges);
          const booked = [...books.lines].filter(([line, minor]) => REPORTED.test(line) && minor !== 0n);
          expect(new Map(booked)).toEqual(new Map([...reportedLines].filter(([, minor]) => minor !== 0n)));
          // Charges and market value account for every price in full, so nothing is left for rounding.
          expect([...books.lines.keys()].filter((line) => line.startsWith('house:rounding'))).toEqual([]);
        },
      ),
      { numRuns: RUNS / 4 },
    );
    expect(traded.size).toBe(PAIRS.length);
  });
});

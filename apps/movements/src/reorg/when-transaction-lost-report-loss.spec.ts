import type { Recorded } from '@ponte/event-sourcing';
import type { TransactionLost } from '@ponte/contracts';
import { isoTime } from '@ponte/kernel';
import type { LossReports } from './loss-reports.service';
import { WhenTransactionLostReportLoss } from './when-transaction-lost-report-loss.policy';

const NOW = Date.parse('2026-11-29T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1_000;

describe('the event of a lost transaction', () => {
  it.each([
    ['reports a loss of the last two days', 2 * DAY_MS, 1],
    ['reports no older loss, which only a rewind of the relay brings again', 2 * DAY_MS + 1, 0],
  ])('%s', async (_, ageMs, times) => {
    const report = jest.fn();
    const policy = new WhenTransactionLostReportLoss({ report } as unknown as LossReports, { now: () => NOW });
    await policy.handle({ data: {}, meta: { occurredAt: isoTime(NOW - ageMs) } } as Recorded<TransactionLost>);
    expect(report).toHaveBeenCalledTimes(times);
  });
});

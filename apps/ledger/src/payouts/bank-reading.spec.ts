import { fromIso, isoTime } from '@ponte/kernel';
import type { BankPage, BankWindow } from './bank-window';
import { BankReading, MAX_FAILING, PAGES_PER_ROUND } from './bank-reading';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const SECOND = 1_000;
const OVERLAP_MS = 60 * SECOND;

/** A list of the bank, its entries in the order of their times, and what was done with the entries that were read. */
class ListUnderTest {
  readonly entries: { readonly id: string; readonly time: number }[] = [];
  readonly refused = new Set<string>();
  readonly recorded = new Map<string, number>();
  readonly requestedWindows: BankWindow[] = [];
  readonly failures: string[] = [];
  isDown = false;
  periodMs = Infinity;
  perPage = 2;
  /** How long the bank takes for a page. */
  tookMs = 0;
  now = START;
  reading = new BankReading(1, START, OVERLAP_MS);

  add(id: string): void {
    this.entries.push({ id, time: this.now });
  }

  async poll(): Promise<void> {
    this.now += 5 * SECOND;
    const list = {
      page: (window: BankWindow) => this.page(window),
      record: async (id: string) => {
        if (this.refused.has(id)) throw new Error(`${id} cannot be recorded`);
        this.recorded.set(id, (this.recorded.get(id) ?? 0) + 1);
      },
    };
    const failed = (_error: unknown, id: string) => this.failures.push(id);
    await this.reading.round({ lists: [list], clock: { now: () => this.now }, periodMs: this.periodMs, failed });
  }

  private async page(window: BankWindow): Promise<BankPage> {
    this.requestedWindows.push(window);
    this.now += this.tookMs;
    if (this.isDown) throw new Error('the bank does not answer');
    const [from, to] = [fromIso(window.from), fromIso(window.to)];
    const within = this.entries.filter(({ time }) => time >= from && time <= to);
    const first = window.page * this.perPage;
    const ids = within.slice(first, first + this.perPage).map(({ id }) => id);
    return { ids, lastPage: first + this.perPage >= within.length };
  }
}

describe('Reading a list of the bank', () => {
  let list: ListUnderTest;
  beforeEach(() => (list = new ListUnderTest()));

  it('goes on from where it got while an entry fails, and does not read the time since its failure again', async () => {
    list.refused.add('poison');
    list.add('poison');
    for (let round = 0; round < 200; round += 1) {
      list.add(`payment ${round}`);
      await list.poll();
    }
    expect(list.recorded.size).toBe(200);
    expect(list.reading.complete).toBeUndefined();
    expect(list.requestedWindows.at(-1)?.from).toBe(isoTime(list.now - 5 * SECOND - OVERLAP_MS));
    expect(list.failures).toHaveLength(200);
    expect(list.reading.measured(list.now)).toEqual({ failing: 1, oldestMs: 199 * 5 * SECOND, ageMs: 0 });
  });

  it('is due an interval after the end of the last read, however long that took', async () => {
    const interval = 300 * SECOND;
    list.add('payment');
    list.tookMs = 600 * SECOND;
    expect(list.reading.isDue(list.now, interval)).toBe(false);
    list.now += interval;
    expect(list.reading.isDue(list.now, interval)).toBe(true);
    await list.poll();
    const began = list.now - list.tookMs;
    expect(list.reading.complete).toBe(began);
    expect(list.reading.isDue(list.now + interval - 1, interval)).toBe(false);
    expect(list.reading.isDue(list.now + interval, interval)).toBe(true);
    for (const earlier of [list.now - 1, began - 1]) expect(list.reading.isDue(earlier, interval)).toBe(true);
  });

  it('is complete up to its position as soon as the failing entry is recorded', async () => {
    list.refused.add('poison');
    list.add('poison');
    await list.poll();
    list.now += 3_600 * SECOND;
    await list.poll();
    expect(list.recorded.has('poison')).toBe(false);
    list.refused.clear();
    await list.poll();
    expect(list.recorded.get('poison')).toBe(1);
    expect(list.reading.complete).toBe(list.now);
    expect(list.reading.measured(list.now)).toEqual({ failing: 0, oldestMs: 0, ageMs: 0 });
  });

  it('continues a window of more pages than a round reads in the next rounds', async () => {
    const pages = 2 * PAGES_PER_ROUND + 1;
    for (let entry = 0; entry < pages; entry += 1) list.add(`payment ${entry}`);
    list.perPage = 1;
    await list.poll();
    expect(list.recorded.size).toBe(PAGES_PER_ROUND);
    expect(list.reading.complete).toBe(START);
    await list.poll();
    await list.poll();
    expect([...list.recorded.values()]).toEqual(Array.from({ length: pages }, () => 1));
    // A window ends at the time when its reading began: later entries are read in the next one.
    expect(list.reading.complete).toBe(START + 5 * SECOND);
  });

  it('reads a window that is longer than the bank lists in periods, each to its last page', async () => {
    list.periodMs = 24 * 3_600 * SECOND;
    for (let day = 0; day < 3; day += 1) {
      for (let entry = 0; entry < 3; entry += 1) list.add(`payment ${day} ${entry}`);
      list.now += list.periodMs;
    }
    await list.poll();
    expect([...list.recorded.keys()]).toEqual(list.entries.map(({ id }) => id));
    const windows = list.requestedWindows.map(({ from, to, page }) => ({ from: fromIso(from), to: fromIso(to), page }));
    expect(windows.map(({ page }) => page)).toEqual([0, 1, 0, 1, 0, 1, 0]);
    for (const { from, to } of windows) expect(to - from).toBeLessThanOrEqual(list.periodMs);
    const starts = windows.filter(({ page }) => page === 0);
    expect(starts.map(({ from }) => from)).toEqual([START - OVERLAP_MS, ...starts.slice(0, -1).map(({ to }) => to)]);
    expect(list.reading.complete).toBe(list.now);
  });

  it('reads every period of a window in which the bank lists nothing', async () => {
    list.periodMs = 3_600 * SECOND;
    list.now += 50 * list.periodMs;
    list.add('payment');
    await list.poll();
    expect(list.recorded.size).toBe(1);
    expect(list.requestedWindows).toHaveLength(51);
  });

  it('goes on with the period that the bank did not give', async () => {
    list.periodMs = 3_600 * SECOND;
    list.add('payment 1');
    list.now += 2 * list.periodMs;
    const real = jest.spyOn(list as unknown as { page(window: BankWindow): Promise<BankPage> }, 'page');
    real.mockResolvedValueOnce({ ids: ['payment 1'], lastPage: true });
    real.mockRejectedValueOnce(new Error('the bank does not answer'));
    await expect(list.poll()).rejects.toThrow('does not answer');
    expect(list.reading.complete).toBe(START);
    await list.poll();
    const froms = real.mock.calls.map(([{ from }]) => fromIso(from) - (START - OVERLAP_MS));
    expect(froms).toEqual([0, 1, 1, 2].map((periods) => periods * list.periodMs));
    real.mockRestore();
  });

  it('continues with the page that the bank did not give', async () => {
    for (let entry = 0; entry < 4; entry += 1) list.add(`payment ${entry}`);
    list.isDown = true;
    await expect(list.poll()).rejects.toThrow('does not answer');
    expect(list.reading.complete).toBe(START);
    list.isDown = false;
    await list.poll();
    expect(list.recorded.size).toBe(4);
    expect(list.requestedWindows.map(({ page }) => page)).toEqual([0, 0, 1]);
  });

  it('starts the window again when the bank gives one page twice', async () => {
    list.add('payment 1');
    const page = jest
      .spyOn(list as unknown as { page(window: BankWindow): Promise<BankPage> }, 'page')
      .mockResolvedValue({ ids: ['payment 1'], lastPage: false });
    await expect(list.poll()).rejects.toThrow('the same entries on page 1');
    page.mockRestore();
    await list.poll();
    expect(list.requestedWindows.map((window) => window.page)).toEqual([0]);
    expect(list.reading.complete).toBe(list.now);
  });

  it('starts the window again when the bank gives one page twice, even if none of its entries is of interest', async () => {
    const page = jest
      .spyOn(list as unknown as { page(window: BankWindow): Promise<BankPage> }, 'page')
      .mockResolvedValue({ ids: [], listed: ['a return'], lastPage: false });
    await expect(list.poll()).rejects.toThrow('the same entries on page 1');
    page.mockRestore();
  });

  it('reads no further while too many entries fail, and tries those again', async () => {
    list.perPage = MAX_FAILING;
    for (let entry = 0; entry < MAX_FAILING; entry += 1) {
      list.add(`poison ${entry}`);
      list.refused.add(`poison ${entry}`);
    }
    list.add('payment');
    for (let round = 0; round < 3; round += 1) await list.poll();
    expect(list.requestedWindows).toHaveLength(1);
    expect(list.recorded.size).toBe(0);
    list.refused.delete('poison 0');
    await list.poll();
    expect([...list.recorded.keys()]).toEqual(['poison 0', 'payment']);
    expect(list.reading.measured(list.now)).toMatchObject({ failing: MAX_FAILING - 1 });
  });
});

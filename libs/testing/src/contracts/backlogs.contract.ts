import type { Backlogs } from '@ponte/event-sourcing';

export interface BacklogsUnderTest {
  readonly backlogs: Backlogs;
  /** Of another process, where there can be one. */
  readonly replica?: Backlogs;
  /** Lets so much time pass. */
  later(ms: number): unknown;
  cleanUp(): Promise<void>;
}

/** What processes tell of how far they are behind, whatever keeps it. */
export function describeBacklogs(name: string, make: () => Promise<BacklogsUnderTest>): void {
  describe(`backlogs on ${name}`, () => {
    let under: BacklogsUnderTest;
    beforeEach(async () => {
      under = await make();
    });
    afterEach(() => under.cleanUp());

    test('the last word of a process is what counts, for five seconds', async () => {
      const { backlogs, later } = under;
      expect(await backlogs.worst()).toBeNull();
      await backlogs.tell({ reader: 'relay-orders', behindMs: 30_000 });
      await backlogs.tell({ reader: 'orders/ledger', behindMs: 20_000 });
      expect(await backlogs.worst()).toEqual({ reader: 'orders/ledger', behindMs: 20_000 });
      await later(4_000);
      expect(await backlogs.worst()).not.toBeNull();
      await later(1_001);
      expect(await backlogs.worst()).toBeNull();
      await backlogs.tell({ reader: 'orders/ledger', behindMs: 21_000 });
      expect(await backlogs.worst()).toEqual({ reader: 'orders/ledger', behindMs: 21_000 });
      await backlogs.tell(null);
      expect(await backlogs.worst()).toBeNull();
    });

    test('of many processes the worst', async () => {
      const { backlogs, replica, later } = under;
      if (!replica) return;
      await backlogs.tell({ reader: 'a', behindMs: 11_000 });
      await replica.tell({ reader: 'b', behindMs: 12_000 });
      expect(await backlogs.worst()).toEqual(await replica.worst());
      expect(await backlogs.worst()).toEqual({ reader: 'b', behindMs: 12_000 });
      await replica.tell(null);
      expect(await replica.worst()).toEqual({ reader: 'a', behindMs: 11_000 });
      await later(120_000);
      await replica.tell({ reader: 'b', behindMs: 9_000 });
      expect(await backlogs.worst()).toEqual({ reader: 'b', behindMs: 9_000 });
    });
  });
}

import type { Backlogs } from '@ponte/event-sourcing';
import { eventually } from '../polling';

interface BacklogsUnderTest {
  readonly backlogs: Backlogs;
  /** The same backlogs in another process, if the implementation supports several. */
  readonly replica?: Backlogs;
  /** Lets time pass. */
  later(ms: number): unknown;
  cleanUp(): Promise<void>;
}

/** The contract of `Backlogs`. */
export function describeBacklogs(name: string, make: () => Promise<BacklogsUnderTest>): void {
  describe(`backlogs on ${name}`, () => {
    let under: BacklogsUnderTest;
    beforeEach(async () => {
      under = await make();
    });
    afterEach(() => under.cleanUp());

    test('the last report of a process is valid for five seconds', async () => {
      const { backlogs, later } = under;
      expect(await backlogs.worst()).toBeNull();
      await backlogs.report({ reader: 'relay-orders', behindMs: 30_000 });
      await backlogs.report({ reader: 'orders/ledger', behindMs: 20_000 });
      expect(await backlogs.worst()).toEqual({ reader: 'orders/ledger', behindMs: 20_000 });
      // On a slow machine more time may have passed by then.
      await eventually(async () => {
        await backlogs.report({ reader: 'orders/ledger', behindMs: 20_000 });
        await later(4_000);
        expect(await backlogs.worst()).not.toBeNull();
      });
      await later(1_001);
      expect(await backlogs.worst()).toBeNull();
      await backlogs.report({ reader: 'orders/ledger', behindMs: 21_000 });
      expect(await backlogs.worst()).toEqual({ reader: 'orders/ledger', behindMs: 21_000 });
      await backlogs.report(null);
      expect(await backlogs.worst()).toBeNull();
    });

    test('the worst report of all processes is returned', async () => {
      const { backlogs, replica, later } = under;
      if (!replica) return;
      await backlogs.report({ reader: 'a', behindMs: 11_000 });
      await replica.report({ reader: 'b', behindMs: 12_000 });
      expect(await backlogs.worst()).toEqual(await replica.worst());
      expect(await backlogs.worst()).toEqual({ reader: 'b', behindMs: 12_000 });
      await replica.report(null);
      expect(await replica.worst()).toEqual({ reader: 'a', behindMs: 11_000 });
      await later(120_000);
      await replica.report({ reader: 'b', behindMs: 9_000 });
      expect(await backlogs.worst()).toEqual({ reader: 'b', behindMs: 9_000 });
    });
  });
}

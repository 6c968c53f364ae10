import type { EventStore } from '@ponte/event-sourcing';
import { NO_STREAM, PositionBeyondLog } from '@ponte/event-sourcing';
import { anEvent, freshId } from '../recorded';

interface PositionsUnderTest {
  readonly store: EventStore;
  /** A position of this store that is beyond the end of its log. */
  beyond(): Promise<string>;
  cleanUp(): Promise<void>;
}

/** The rule of the `EventStore` port that events are not silently skipped, whatever the start position. */
export function describePositions(name: string, open: () => Promise<PositionsUnderTest>): void {
  describe(`${name}: a position at or beyond the end of the log`, () => {
    let under: PositionsUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.cleanUp());

    const firstSlice = async (after: string): Promise<unknown> => {
      const subscription = under.store.subscribe({ after });
      for await (const slice of subscription) return slice;
      return undefined;
    };

    test('fails a subscription if it is beyond the end, so that later events are not skipped silently', async () => {
      const beyond = await under.beyond();
      const reading = firstSlice(beyond);
      const outcome = expect(reading).rejects.toThrow(PositionBeyondLog);
      await under.store.append(`thing-${freshId()}`, NO_STREAM, anEvent());
      await outcome;
      await expect(firstSlice(beyond)).rejects.toThrow(/is beyond the end of the log/);
    });

    test('starts a subscription that waits for new events if it is the end', async () => {
      await under.store.append(`thing-${freshId()}`, NO_STREAM, anEvent());
      const head = await under.store.head();
      const next = firstSlice(String(head));
      await under.store.append(`thing-${freshId()}`, NO_STREAM, anEvent());
      await expect(next).resolves.toMatchObject({ events: [{ revision: 0 }] });
    });
  });
}

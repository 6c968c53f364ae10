import type { EventStore } from '@ponte/event-sourcing';
import { NO_STREAM, PositionBeyondLog } from '@ponte/event-sourcing';
import { anEvent, freshId } from '../recorded';

export interface PositionsUnderTest {
  readonly store: EventStore;
  /** A position of this kind of store that its log has not reached. */
  beyond(): Promise<string>;
  cleanUp(): Promise<void>;
}

/** The rule of the `EventStore` port that no position suppresses an event. */
export function describePositions(name: string, open: () => Promise<PositionsUnderTest>): void {
  describe(`${name}: positions beyond the end of the log`, () => {
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

    test('stop a subscription with an error that says so; events that come later are not skipped in silence', async () => {
      const beyond = await under.beyond();
      const reading = firstSlice(beyond);
      const outcome = expect(reading).rejects.toThrow(PositionBeyondLog);
      await under.store.append(`thing-${freshId()}`, NO_STREAM, anEvent());
      await outcome;
      await expect(firstSlice(beyond)).rejects.toThrow(/is beyond the end of the log/);
    });

    test('the end itself is a place to wait at', async () => {
      await under.store.append(`thing-${freshId()}`, NO_STREAM, anEvent());
      const head = await under.store.head();
      const next = firstSlice(String(head));
      await under.store.append(`thing-${freshId()}`, NO_STREAM, anEvent());
      await expect(next).resolves.toMatchObject({ events: [{ revision: 0 }] });
    });
  });
}

import type { BusUnderTest } from './bus-under-test.testing';
import { describeEvents } from './bus-events.contract';
import { describeFailures } from './bus-failures.contract';
import { describeRequests } from './bus-requests.contract';

/** The contract of the `MessageBus` and `ParkingLot` ports. */
export function describeMessageBus(name: string, open: () => Promise<BusUnderTest>): void {
  describe(`${name} as a MessageBus`, () => {
    let under: BusUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.cleanUp());
    describeRequests(() => under);
    describeEvents(() => under);
    describeFailures(() => under);
  });
}

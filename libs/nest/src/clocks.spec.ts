import { BusinessTimeAdvanced } from '@ponte/contracts';
import { anEvent, eventually, MemoryEventStore } from '@ponte/testing';
import { businessTime } from './clocks';

const quiet = { warn: () => undefined, error: () => undefined };
const HOUR_MS = 3_600_000;
// "+ 0" converts the -0 of a clock that is a fraction behind to 0.
const hoursAhead = (now: number): number => Math.round((now - Date.now()) / HOUR_MS) + 0;
const STREAM = 'sandboxClock-business';
const advanced = (hours: number) =>
  anEvent({ aheadMs: hours * HOUR_MS }).map((one) => ({ ...one, type: BusinessTimeAdvanced.type }));

test('every sandbox process has the time of the log from its first decision on and follows later events; time never goes back', async () => {
  const store = new MemoryEventStore();
  const first = await businessTime('sandbox', store, quiet);
  expect(hoursAhead(first.clock.now())).toBe(0);
  await store.append(STREAM, -1, advanced(5));
  await eventually(() => expect(hoursAhead(first.clock.now())).toBe(5));
  const second = await businessTime('sandbox', store, quiet);
  expect(hoursAhead(second.clock.now())).toBe(5);
  await store.append(STREAM, 0, advanced(3));
  await store.append(STREAM, 1, advanced(9));
  await eventually(() => expect([first, second].map(({ clock }) => hoursAhead(clock.now()))).toEqual([9, 9]));
  await first.stop();
  await second.stop();
});

test("production uses the machine's clock and refuses a log whose time was moved", async () => {
  const store = new MemoryEventStore();
  const time = await businessTime('production', store, quiet);
  expect(Math.abs(time.clock.now() - Date.now())).toBeLessThan(HOUR_MS);
  await store.append(STREAM, -1, advanced(5));
  expect(hoursAhead(time.clock.now())).toBe(0);
  await expect(businessTime('production', store, quiet)).rejects.toThrow('cannot be used in production');
});

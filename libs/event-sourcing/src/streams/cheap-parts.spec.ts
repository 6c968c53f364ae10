import { derivedId, isUuid } from '@ponte/kernel';
import { eventId } from '../command-context';
import { PendingAppends } from './pending-appends';

describe('the id of an event', () => {
  const commands = Array.from({ length: 2_000 }, (_, at) => derivedId('command', String(at)));

  test('is a UUIDv8 that follows from command and index, and no two are the same', () => {
    const ids = commands.flatMap((command) => [0, 1, 2, 15].map((index) => eventId(command, index)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => isUuid(id) && id.charAt(14) === '8')).toBe(true);
    expect(eventId(commands[0] as string, 1)).toBe(eventId(commands[0] as string, 1));
  });

  test('an id that is used as a command leads to no id of its neighbours', () => {
    const first = commands[0] as string;
    const near = [0, 1, 2, 3, 4, 5].map((index) => eventId(first, index));
    const far = near.flatMap((id) => [0, 1, 2, 3, 4, 5].map((index) => eventId(id, index)));
    expect(new Set([first, ...near, ...far]).size).toBe(1 + near.length + far.length);
  });

  test('the largest node turns over, and a command whose id is no UUID has ids too', () => {
    expect(eventId('0197f5c0-0000-7000-8000-ffffffffffff', 15)).toMatch(/^0197f5c0-0000-8000-8000-[0-9a-f]{12}$/);
    expect(isUuid(eventId('by hand', 0))).toBe(true);
    expect(eventId('by hand', 0)).not.toBe(eventId('by hand', 1));
  });
});

test('appends in progress: waiters resolve when the last one has ended', async () => {
  const pendingAppends = new PendingAppends();
  expect(pendingAppends.landed('a-1')).toBeUndefined();
  pendingAppends.began('a-1');
  pendingAppends.began('a-1');
  let landed = false;
  const waiting = pendingAppends.landed('a-1')?.then(() => {
    landed = true;
  });
  pendingAppends.ended('a-1');
  await Promise.resolve();
  expect(landed).toBe(false);
  pendingAppends.ended('a-1');
  await waiting;
  expect(landed).toBe(true);
  expect(pendingAppends.landed('a-1')).toBeUndefined();
});

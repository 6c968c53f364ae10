import { derivedId, isUuid } from '@ponte/kernel';
import { eventId } from '../event';
import type { EventStore } from '../ports/event-store';
import { StreamCache } from './stream-cache';

describe('the id of an event', () => {
  const commands = Array.from({ length: 2_000 }, (_, at) => derivedId('command', String(at)));

  test('is a unique UUIDv8 derived from the command id and the index', () => {
    const ids = commands.flatMap((command) => [0, 1, 2, 15].map((index) => eventId(command, index)));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => isUuid(id) && id.charAt(14) === '8')).toBe(true);
    expect(eventId(commands[0] as string, 1)).toBe(eventId(commands[0] as string, 1));
  });

  test('does not collide when an event id is used as a command id', () => {
    const first = commands[0] as string;
    const near = [0, 1, 2, 3, 4, 5].map((index) => eventId(first, index));
    const far = near.flatMap((id) => [0, 1, 2, 3, 4, 5].map((index) => eventId(id, index)));
    expect(new Set([first, ...near, ...far]).size).toBe(1 + near.length + far.length);
  });

  test('wraps around at the largest node, and also works for a command id that is not a UUID', () => {
    expect(eventId('0197f5c0-0000-7000-8000-ffffffffffff', 15)).toMatch(/^0197f5c0-0000-8000-8000-[0-9a-f]{12}$/);
    expect(isUuid(eventId('by hand', 0))).toBe(true);
    expect(eventId('by hand', 0)).not.toBe(eventId('by hand', 1));
  });
});

test('a caller that waits for the appends in progress resumes when the last one has ended', async () => {
  const cache = new StreamCache({ soleWriter: true } as EventStore, 1);
  expect(cache.appendsEnded('a-1')).toBeUndefined();
  cache.appendBegan('a-1');
  cache.appendBegan('a-1');
  let landed = false;
  const waiting = cache.appendsEnded('a-1')?.then(() => {
    landed = true;
  });
  cache.appendEnded('a-1');
  await Promise.resolve();
  expect(landed).toBe(false);
  cache.appendEnded('a-1');
  await waiting;
  expect(landed).toBe(true);
  expect(cache.appendsEnded('a-1')).toBeUndefined();
});

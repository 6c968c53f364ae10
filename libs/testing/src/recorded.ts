import { derivedId } from '@ponte/kernel';
import type { EventToAppend } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';

let made = 0;
const run = derivedId('test run', String(process.pid), String(process.hrtime.bigint())).slice(0, 8);

/** An id that is unique across tests and across runs on the same engine. */
export const freshId = (): string => `${run}${(made += 1)}`;

/** Events of one command, ready to append. The same command id gives the same event ids. */
export function eventsOf(commandId: string, ...data: readonly object[]): EventToAppend[] {
  return data.map((one, index) => ({
    id: eventId(commandId, index),
    type: 'SomethingHappened',
    version: 1,
    data: one,
    meta: { commandId, index, count: data.length, occurredAt: '2026-01-02T03:04:05.678Z', correlationId: commandId },
  }));
}

/** One event of a new command. */
export const anEvent = (data: object = {}): EventToAppend[] => eventsOf(freshId(), data);

import type { EventToAppend, MessageBus, ParkingLot, RequestContext } from '@ponte/event-sourcing';
import { command } from '@ponte/event-sourcing';
import { freshId } from '../recorded';

/** A bus with retries after milliseconds, and the means to publish events to it. */
export interface BusUnderTest {
  readonly bus: MessageBus;
  readonly parkingLot: ParkingLot;
  /** A service, and one of its stream categories. */
  readonly service: string;
  readonly category: string;
  /** How often a failing event is handled before it is parked. */
  readonly tries: number;
  /** The milliseconds that a request usually takes at most to reach its handler; 500 when absent. */
  readonly travelMs?: number;
  /** The system clock of the bus. */
  now(): number;
  /** Appends events to a stream of the service. */
  publish(stream: string, events: readonly EventToAppend[]): Promise<void>;
  /** Starts another bus on the stored state of this one, which is stopped or, for `crash`, just abandoned. */
  restart(how: 'stop' | 'crash'): Promise<BusUnderTest>;
  /** Stops all buses and removes their data. */
  cleanUp(): Promise<void>;
}

export const Ask = command<{ readonly text: string }, { readonly answer: string }>('contract', 'ask', () => undefined);
export const context = (deadline?: number): RequestContext => ({
  commandId: freshId(),
  correlationId: freshId(),
  deadline,
});

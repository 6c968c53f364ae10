import type { EventToAppend, MessageBus, ParkingLot, RequestContext } from '@ponte/event-sourcing';
import { command } from '@ponte/event-sourcing';
import { freshId } from '../recorded';

/** A bus whose retries take milliseconds, and what feeds it. */
export interface BusUnderTest {
  readonly bus: MessageBus;
  readonly parkingLot: ParkingLot;
  /** A service, and a category of streams that it publishes. */
  readonly service: string;
  readonly category: string;
  /** How many times a failing event is handed over before it is parked. */
  readonly tries: number;
  /** Milliseconds within which a request surely reaches its handler, however busy the machine; 100 when absent. */
  readonly travelMs?: number;
  /** The system's clock of the bus. */
  now(): number;
  /** Makes events happen on a stream of the service, after those that it has. */
  publish(stream: string, events: readonly EventToAppend[]): Promise<void>;
  /** Another bus over what this one kept. The one before is stopped, or merely left behind as by a crash. */
  restart(how: 'stop' | 'crash'): Promise<BusUnderTest>;
  /** Stops every bus and removes everything. */
  cleanUp(): Promise<void>;
}

export const Ask = command<{ readonly text: string }, { readonly answer: string }>('contract', 'ask', () => undefined);
export const context = (deadline?: number): RequestContext => ({
  commandId: freshId(),
  correlationId: freshId(),
  deadline,
});

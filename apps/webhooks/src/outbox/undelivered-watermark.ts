import { Inject, Injectable } from '@nestjs/common';
import type { EventStore, Position } from '@ponte/event-sourcing';
import { EVENT_STORE } from '@ponte/nest';

/** A place in the log; `position` is undefined at its beginning. */
interface Place {
  readonly position: Position | undefined;
}

/**
 * Of which events no one can have been told yet: those that were written after the reading at hand began, under its
 * lease, when they come the first time. Of these no delivery has to be looked for. Should a holder that was thought
 * dead have made one after all, its record is met when this one is recorded.
 */
@Injectable()
export class UndeliveredWatermark {
  private begun: Promise<Place | undefined> = Promise.resolve(undefined);
  /** The furthest event of this reading, or where the log ended as it began. */
  private passed: Place | undefined;

  constructor(@Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'head' | 'comparePositions'>) {}

  /** A new reading, with the lease in hand. Where the end of the log cannot be learnt, everything is looked for. */
  begins(): void {
    this.passed = undefined;
    this.begun = this.store.head().then(
      (position) => ({ position }),
      () => undefined,
    );
  }

  /** Which events of a slice; of one that comes again none. */
  async in(positions: readonly Position[]): Promise<(position: Position) => boolean> {
    const end = await this.begun;
    if (end === undefined) return () => false;
    const before = this.passed ?? end;
    this.passed = positions.reduce<Place>(
      (furthest, position) => (this.isBehind(position, furthest) ? { position } : furthest),
      before,
    );
    return (position) => this.isBehind(position, before);
  }

  private isBehind(position: Position, { position: place }: Place): boolean {
    return place === undefined || this.store.comparePositions(position, place) > 0;
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { EventStore, Position } from '@ponte/event-sourcing';
import { EVENT_STORE } from '@ponte/nest';

/** A place in the log; `position` is undefined at its beginning. */
interface Place {
  readonly position: Position | undefined;
}

/**
 * Determines which events cannot have been delivered yet: those that were appended after the current reader started,
 * under its lease, and that it reads for the first time. For these, no existing delivery has to be looked up. If a
 * previous holder that was thought dead did create such a delivery, the conflict is found when the second one is
 * recorded.
 */
@Injectable()
export class UndeliveredWatermark {
  private begun: Promise<Place | undefined> = Promise.resolve(undefined);
  /** The furthest event read since the start, or the end of the log at that time. */
  private passed: Place | undefined;

  constructor(@Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'head' | 'comparePositions'>) {}

  /** Call when reading starts under the lease. If the head cannot be read, every event counts as possibly delivered. */
  begins(): void {
    this.passed = undefined;
    this.begun = this.store.head().then(
      (position) => ({ position }),
      () => undefined,
    );
  }

  /**
   * Returns a predicate for the positions of a slice. It is false for all events of a slice that is processed again.
   */
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

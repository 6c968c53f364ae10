interface Flight {
  count: number;
  landed?: Promise<void>;
  land?: () => void;
}

/** Appends that this process has under way, per stream. */
export class PendingAppends {
  private readonly streams = new Map<string, Flight>();

  /** An append began; {@link ended} follows, whatever becomes of it. */
  began(stream: string): void {
    const flight = this.streams.get(stream);
    if (flight) flight.count += 1;
    else this.streams.set(stream, { count: 1 });
  }

  ended(stream: string): void {
    const flight = this.streams.get(stream);
    if (!flight || (flight.count -= 1) > 0) return;
    this.streams.delete(stream);
    flight.land?.();
  }

  /** Resolves when every append to the stream has come to an end, whichever; undefined when none is under way. */
  landed(stream: string): Promise<void> | undefined {
    const flight = this.streams.get(stream);
    // Callers rarely wait, so the promise is created on demand.
    if (flight)
      flight.landed ??= new Promise<void>((resolve) => {
        flight.land = resolve;
      });
    return flight?.landed;
  }
}

interface Flight { count: number; readonly landed: Promise<void>; readonly land: () => void }

/** Appends that this process has under way, per stream. */
export class InFlight {
  private readonly streams = new Map<string, Flight>();

  track(stream: string, append: Promise<unknown>): void {
    const flight = this.streams.get(stream) ?? this.begin(stream);
    flight.count += 1;
    const done = (): void => {
      flight.count -= 1;
      if (flight.count > 0) return;
      this.streams.delete(stream);
      flight.land();
    };
    append.then(done, done);
  }

  /** Resolves when every append to the stream has come to an end, whichever; undefined when none is under way. */
  landed(stream: string): Promise<void> | undefined {
    return this.streams.get(stream)?.landed;
  }

  private begin(stream: string): Flight {
    let land = (): void => undefined;
    const landed = new Promise<void>((resolve) => { land = resolve; });
    const flight: Flight = { count: 0, landed, land };
    this.streams.set(stream, flight);
    return flight;
  }
}

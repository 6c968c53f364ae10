import { Unavailable } from '@ponte/kernel';

/** The faults of a simulated vendor. All are off by default. */
export class Misbehaviour {
  /** How many of the next calls fail as if the vendor could not be reached. */
  failing = 0;
  /** How notices are sent. `held` notices are sent on release, the last one first. */
  notices: 'prompt' | 'lost' | 'held' | 'repeated' = 'prompt';

  /** Throws `Unavailable` if this call has to fail. */
  call(): void {
    if (this.failing === 0) return;
    this.failing -= 1;
    throw new Unavailable('service-unavailable');
  }
}

/** Sends notices of a simulated vendor, with the faults of its {@link Misbehaviour}. */
export class SimulatedNotices<N> {
  private listener: ((notice: N) => Promise<void>) | undefined;
  private held: N[] = [];

  constructor(private readonly misbehaviour: Misbehaviour) {}

  listen(listener: (notice: N) => Promise<void>): void {
    this.listener = listener;
  }

  async send(notice: N): Promise<void> {
    switch (this.misbehaviour.notices) {
      case 'lost':
        return;
      case 'held':
        this.held.push(notice);
        return;
      case 'repeated':
        await this.listener?.(notice);
        await this.listener?.(notice);
        return;
      case 'prompt':
        await this.listener?.(notice);
        return;
    }
  }

  /** Sends the held notices out of order: the last one first. */
  async release(): Promise<void> {
    const heldCalls = this.held.reverse();
    this.held = [];
    for (const notice of heldCalls) await this.listener?.(notice);
  }
}

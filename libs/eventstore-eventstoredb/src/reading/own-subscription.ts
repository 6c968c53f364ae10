import type { Position } from '@ponte/event-sourcing';
import type { CatchUpOptions } from './catch-up';
import { CatchUp } from './catch-up';
import type { Session } from './session';

interface OwnSubscriptionParts extends Pick<CatchUpOptions, 'slots' | 'categories' | 'limit'> {
  /** Resolves when the reader is closed. */
  readonly closed: Promise<undefined>;
  readonly isClosed: () => boolean;
}

/**
 * The subscription that a reader has for itself while it is behind the shared subscription's window: none or one at a
 * time.
 */
export class OwnSubscription {
  private catchUp: CatchUp | undefined;

  constructor(private readonly parts: OwnSubscriptionParts) {}

  /** The subscription; undefined while it is not needed. */
  get current(): CatchUp | undefined {
    return this.catchUp;
  }

  /**
   * Begins a subscription on a session, after a position, in place of an earlier one. Waits for a free place. It does
   * not begin if the reader was closed or the session ended meanwhile.
   */
  async begin(session: Session, after: Position | undefined): Promise<void> {
    this.end();
    const { slots, categories, limit, closed, isClosed } = this.parts;
    const begun = await CatchUp.begin({ slots, session, after, categories, limit }, closed, () => this.end());
    if (isClosed()) begun?.end();
    else this.catchUp = begun;
  }

  /** Ends the subscription, if there is one, and returns its place. */
  end(): void {
    this.catchUp?.end();
    this.catchUp = undefined;
  }

  /** Wakes a reader that waits for the subscription. */
  nudge(): void {
    this.catchUp?.nudge();
  }
}

import type { Timestamp } from '@ponte/contracts';

export type LivenessOutcome = 'passed' | 'failed' | 'pending';

/** What a provider says of a session. */
export interface LivenessResult {
  readonly outcome: LivenessOutcome;
  /** The provider's own id of this word: the same id is the same word. */
  readonly providerEventId: string;
  /** When the provider decided. */
  readonly decidedAt: Timestamp;
}

/** The vendors that check that a living person held the document. Throws `Unavailable` when they cannot be asked. */
export interface Liveness {
  resultOf(session: { readonly provider: string; readonly id: string }): Promise<LivenessResult>;
}

export const LIVENESS = Symbol('Liveness');

/** A provider's word of a session that came by itself. Late, twice and in any order. */
export interface LivenessNotice extends LivenessResult {
  readonly provider: string;
  readonly sessionId: string;
}

/** Where providers' words arrive, once their signature was checked. */
export interface LivenessNotices {
  /** A listener that throws makes the provider send again. One listener. */
  listen(listener: (notice: LivenessNotice) => Promise<void>): void;
}

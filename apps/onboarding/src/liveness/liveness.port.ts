import type { Timestamp } from '@ponte/contracts';

export type LivenessOutcome = 'passed' | 'failed' | 'pending';

/** A provider's result of a session. */
export interface LivenessResult {
  readonly outcome: LivenessOutcome;
  /** The provider's own id of this result. The same id means the same result. */
  readonly providerEventId: string;
  /** When the provider decided. */
  readonly decidedAt: Timestamp;
}

/** The vendors that check that a living person held the document. Throws `Unavailable` if they cannot be asked. */
export interface Liveness {
  resultOf(session: { readonly provider: string; readonly id: string }): Promise<LivenessResult>;
}

export const LIVENESS = Symbol('Liveness');

/** A session result that the provider sent by itself. Results may arrive late, repeated and in any order. */
export interface LivenessNotice extends LivenessResult {
  readonly provider: string;
  readonly sessionId: string;
}

/** Receives notices of providers after their signature was checked. */
export interface LivenessNotices {
  /** Sets the only listener. If it throws, the provider resends the notice. */
  listen(listener: (notice: LivenessNotice) => Promise<void>): void;
}

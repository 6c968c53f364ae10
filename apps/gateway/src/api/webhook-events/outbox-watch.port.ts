/**
 * Hears of each account that has a new event in its log, from the moment that {@link OutboxWatch.watch}
 * resolves.
 */
export interface OutboxWatch {
  /** `tell` must not fail. It may be called again for an account that was reported before. */
  watch(tell: (accountId: string) => void): Promise<{ stop(): Promise<void> }>;
}

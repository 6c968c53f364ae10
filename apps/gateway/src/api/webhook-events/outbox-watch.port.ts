/** Reports each account whose event log has a new event, starting when {@link OutboxWatch.watch} resolves. */
export interface OutboxWatch {
  /** `notify` must not throw. It may be called again for an account that was reported before. */
  watch(notify: (accountId: string) => void): Promise<{ stop(): Promise<void> }>;
}

const MB = 1024 * 1024;
/** Bodies with files that are in memory at once, in this process. Each is copied about three times on its way. */
const MAX_BYTES = 256 * MB;
/** Of these, one partner's: a slow or greedy one leaves room for the others. */
const MAX_BYTES_OF_ACCOUNT = MAX_BYTES / 2;

/** How much memory uploads may take. A body counts with the length that it announces, one that announces none with the most that it may have. */
export class UploadBudget {
  private readonly held = new Map<string, number>();
  private total = 0;

  /** Bytes that uploads hold now. */
  get bytes(): number {
    return this.total;
  }

  /** Gives the bytes back when called, once; undefined when there is no room. */
  take(accountId: string, announced: number, limit: number): (() => void) | undefined {
    const bytes = announced >= 0 && announced <= limit ? announced : limit;
    const own = this.held.get(accountId) ?? 0;
    if (this.total + bytes > MAX_BYTES || own + bytes > MAX_BYTES_OF_ACCOUNT) return undefined;
    this.change(accountId, bytes);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.change(accountId, -bytes);
    };
  }

  private change(accountId: string, bytes: number): void {
    this.total += bytes;
    const own = (this.held.get(accountId) ?? 0) + bytes;
    if (own === 0) this.held.delete(accountId);
    else this.held.set(accountId, own);
  }
}

/**
 * Work that is repeated on request and never runs twice at once. A request during a run is answered by one more run
 * after it, together with all others that come meanwhile.
 */
export class OneAtATime {
  private running: Promise<void> | undefined;
  private asked = false;

  constructor(private readonly work: () => Promise<void>) {}

  /** Resolves once the work was done from beginning to end after this request. Rejects when a run rejects. */
  run(): Promise<void> {
    this.asked = true;
    this.running ??= this.whileAsked();
    return this.running;
  }

  /** Resolves when nothing runs, however it ended. */
  async idle(): Promise<void> {
    await this.running?.catch(() => undefined);
  }

  private async whileAsked(): Promise<void> {
    try {
      while (this.asked) {
        this.asked = false;
        await this.work();
      }
    } finally {
      this.running = undefined;
    }
  }
}

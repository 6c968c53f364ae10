/** Runs work on request, never in parallel. All requests that arrive during a run share one more run after it. */
export class OneAtATime {
  private running: Promise<void> | undefined;
  private isRequested = false;

  constructor(private readonly work: () => Promise<void>) {}

  /** Resolves once the work has been run completely after this request. Rejects if a run rejects. */
  run(): Promise<void> {
    this.isRequested = true;
    this.running ??= this.runWhileRequested();
    return this.running;
  }

  /** Resolves when no run is in progress, even if the last one failed. */
  async idle(): Promise<void> {
    await this.running?.catch(() => undefined);
  }

  private async runWhileRequested(): Promise<void> {
    try {
      while (this.isRequested) {
        this.isRequested = false;
        await this.work();
      }
    } finally {
      this.running = undefined;
    }
  }
}

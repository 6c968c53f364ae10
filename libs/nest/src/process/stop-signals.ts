/** What can be asked to end in order. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** SIGINT and SIGTERM from the first moment on, so that nothing which was started is left behind. */
export class StopSignals {
  private running: Stoppable | undefined;
  private asked = false;

  constructor() {
    process.on('SIGINT', () => this.heed());
    process.on('SIGTERM', () => this.heed());
  }

  /** Whether someone asked to stop: what fails from then on fails for that reason. */
  get isAsked(): boolean {
    return this.asked;
  }

  /** From now on there is something to stop; at once when a signal came during the start. */
  started(cluster: Stoppable): void {
    this.running = cluster;
    if (this.asked) this.stop();
  }

  /** A second signal does not wait. */
  private heed(): void {
    if (this.asked) process.exit(1);
    this.asked = true;
    this.stop();
  }

  private stop(): void {
    this.running?.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`the process did not stop cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  }
}

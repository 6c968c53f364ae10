/** Something that can be shut down in order. */
interface Stoppable {
  stop(): Promise<void>;
}

/** Handles SIGINT and SIGTERM from the first moment, so that nothing that was started is left running. */
export class StopSignals {
  private running: Stoppable | undefined;
  private stopRequested = false;

  constructor() {
    process.on('SIGINT', () => this.onSignal());
    process.on('SIGTERM', () => this.onSignal());
  }

  /** Whether a signal has arrived. Errors after it are a consequence of stopping. */
  get isStopRequested(): boolean {
    return this.stopRequested;
  }

  /** Sets what to stop. If a signal arrived during the start, stops it at once. */
  started(cluster: Stoppable): void {
    this.running = cluster;
    if (this.stopRequested) this.stop();
  }

  /** The second signal ends the process at once. */
  private onSignal(): void {
    if (this.stopRequested) process.exit(1);
    this.stopRequested = true;
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

import type { Logger } from 'pino';

/** The engines of a process that are open. */
export class OpenEngines {
  private readonly ends: (() => Promise<unknown>)[] = [];

  /** Returns the engine. {@link close} will close it, before those that were kept earlier. */
  keep<T>(engine: T, close: (engine: T) => Promise<unknown>): T {
    this.ends.push(() => close(engine));
    return engine;
  }

  /** Closes every engine even if another fails to close, so that no lease or connection stays held. */
  async close(logger: Logger): Promise<void> {
    for (const close of this.ends.splice(0).reverse()) {
      await close().catch((error: unknown) =>
        logger.error(
          { failure: error instanceof Error ? error.name : typeof error },
          'an engine did not close cleanly',
        ),
      );
    }
  }
}

import { safeError } from '@ponte/event-sourcing';
import type { Logger } from 'pino';

export class OpenEngines {
  private readonly ends: (() => Promise<unknown>)[] = [];
  private closing: Promise<void> | undefined;

  /** Returns the engine. {@link close} will close it, before those that were kept earlier. */
  keep<T>(engine: T, close: (engine: T) => unknown): T {
    this.ends.push(async () => close(engine));
    return engine;
  }

  /** Closes every engine even if another fails to close, so that no lease or connection stays held. */
  close(logger: Logger): Promise<void> {
    return (this.closing ??= this.closeAll(logger));
  }

  private async closeAll(logger: Logger): Promise<void> {
    for (const close of this.ends.reverse()) {
      await close().catch((error: unknown) =>
        logger.error({ error: safeError(error) }, 'an engine did not close cleanly'),
      );
    }
  }
}

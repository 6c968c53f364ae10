import { LoggableError } from '@ponte/event-sourcing';

/**
 * A stream can no longer be read or written as an aggregate because it was deleted or truncated. Retries do not help.
 */
export class StreamUnusable extends LoggableError {
  override readonly name = 'StreamUnusable';
  constructor(
    readonly stream: string,
    what: string,
  ) {
    super(`stream ${stream} ${what}`);
  }
}

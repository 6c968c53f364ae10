import { LoggableError } from '@ponte/event-sourcing';

/**
 * A stream cannot be read or written as an aggregate any more: someone deleted or truncated it. No repetition helps.
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

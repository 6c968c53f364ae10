import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BadList } from './bad-list';
import type { ListSource } from './list-source';

/** The text of a list while it is read. */
export class ListText {
  private readonly hash = createHash('sha256');
  private readonly bytes: AsyncIterator<Uint8Array>;
  private state: 'unread' | 'failed' | 'read' = 'unread';

  constructor(source: ListSource) {
    this.bytes = source.read()[Symbol.asyncIterator]();
  }

  /** The text piece by piece. Other work of the process has its turn after each piece. Throws {@link BadList}. */
  async *pieces(): AsyncIterable<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for (let bytes = await this.next(); bytes; bytes = await this.next()) {
      yield decode(decoder, bytes);
      await nextTurn();
    }
    yield decode(decoder);
  }

  /**
   * Reads the rest, so that the digest is that of what was read even if the file was replaced meanwhile. Throws if the
   * text cannot be read to its end.
   *
   * @returns SHA-256 of the whole text, in hexadecimal
   */
  async digest(): Promise<string> {
    while (this.state === 'unread') await this.next();
    if (this.state === 'failed') throw new Error('the list could not be read to its end');
    return this.hash.digest('hex');
  }

  private async next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.bytes.next();
      if (!done) {
        this.hash.update(value);
        return value;
      }
      this.state = 'read';
      return undefined;
    } catch (error) {
      this.state = 'failed';
      throw error;
    }
  }
}

/** Without bytes, the end of the text. */
function decode(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new BadList('the list is not valid UTF-8');
  }
}

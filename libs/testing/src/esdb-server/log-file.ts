import type { FileHandle } from 'node:fs/promises';
import { open, readFile, truncate } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** Size of a frame's header: length of the payload and its CRC-32, both unsigned. */
const HEADER = 8;

/** A file of frames. Frames that arrive during a flush are written together by the next one. */
export class LogFile {
  private pending: Buffer[] = [];
  private flushing: Promise<void> | undefined;

  private constructor(private readonly handle: FileHandle) {}

  /**
   * Opens the file and passes every complete frame to `load`. A torn last frame, as after a crash, is cut off, so that
   * nothing is written behind it. Throws when an earlier frame is damaged.
   */
  static async open(path: string, load: (payload: Buffer) => void): Promise<LogFile> {
    const handle = await open(path, 'a');
    try {
      const content = await readFile(path);
      let at = 0;
      for (let next = frameAt(content, at); next; next = frameAt(content, at)) {
        load(next.payload);
        at = next.end;
      }
      if (at < content.length) await truncate(path, at);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new LogFile(handle);
  }

  write(payload: Buffer): void {
    const header = Buffer.alloc(HEADER);
    header.writeUInt32BE(payload.length, 0);
    header.writeUInt32BE(crc32(payload), 4);
    this.pending.push(header, payload);
  }

  /** Resolves when everything written so far is on the disk. */
  async flushed(): Promise<void> {
    while (this.pending.length > 0 || this.flushing) {
      this.flushing ??= this.flush().finally(() => {
        this.flushing = undefined;
      });
      await this.flushing;
    }
  }

  async close(): Promise<void> {
    await this.flushed();
    await this.handle.close();
  }

  private async flush(): Promise<void> {
    const batch = Buffer.concat(this.pending);
    this.pending = [];
    for (let at = 0; at < batch.length;) at += (await this.handle.write(batch, at)).bytesWritten;
    await this.handle.datasync();
  }
}

function frameAt(content: Buffer, at: number): { readonly payload: Buffer; readonly end: number } | undefined {
  if (content.length - at < HEADER) return undefined;
  const end = at + HEADER + content.readUInt32BE(at);
  if (end > content.length) return undefined;
  const payload = content.subarray(at + HEADER, end);
  if (crc32(payload) === content.readUInt32BE(at + 4)) return { payload, end };
  if (end < content.length) throw new Error(`the log is damaged at byte ${at}`);
  return undefined;
}

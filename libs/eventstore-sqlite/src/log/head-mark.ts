import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import type { Checksum } from './log-checksum';

const POSITION_DIGITS = 15;
const CHECK_DIGITS = 16;

/**
 * Says beside the log where it ends and with which checksum, so that a log whose end was cut off does not pass for a
 * shorter one. It is written after each commit and not waited for: when the power goes it may be older than the log,
 * and never newer.
 */
export class HeadMark {
  private file: number | undefined;

  constructor(private readonly path: string) {}

  /** Undefined when it is missing or incomplete. */
  read(): Checksum | undefined {
    try {
      const [position = '', digest = '', check = ''] = readFileSync(this.path, 'utf8').trim().split(' ');
      return check === checkOf(`${position} ${digest}`) ? { position: Number(position), digest } : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Always the same length, over what was there. */
  write({ position, digest }: Checksum): void {
    this.file ??= openSync(this.path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const text = `${String(position).padStart(POSITION_DIGITS, '0')} ${digest}`;
    writeSync(this.file, `${text} ${checkOf(text)}\n`, 0);
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }
}

const checkOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, CHECK_DIGITS);

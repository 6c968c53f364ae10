import { create } from 'qrcode';
import { LRUCache } from 'lru-cache';
import { pngOf } from './png';

/** A code is drawn in about 1 ms and shown many times while it is waited for. */
const MAX_CODES = 5_000;

/** Pictures of Pix codes: `qr-code-base64` is a bare base64 PNG. */
export class QrCodes {
  private readonly drawn = new LRUCache<string, string>({ max: MAX_CODES });

  pngBase64(brcode: string): string {
    const known = this.drawn.get(brcode);
    if (known !== undefined) return known;
    const { modules } = create(brcode, { errorCorrectionLevel: 'M' });
    const picture = pngOf(Uint8Array.from(modules.data), modules.size).toString('base64');
    this.drawn.set(brcode, picture);
    return picture;
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { create } from 'qrcode';
import { lruCache } from '@ponte/kernel';
import { pngOf } from './png';

/** The number of cached images. Drawing one takes about 1 ms, and a code is often requested until it is paid. */
const MAX_CODES = 5_000;

/** Images of Pix codes for `qr-code-base64`, a bare base64 PNG. */
export class QrCodes {
  private readonly drawn = lruCache<string, string>(MAX_CODES);
  /** Ends when the next code of a list may be drawn. */
  private turn: Promise<unknown> = Promise.resolve();

  pngBase64(brcode: string): string {
    const known = this.drawn.get(brcode);
    if (known !== undefined) return known;
    const { modules } = create(brcode, { errorCorrectionLevel: 'M' });
    const picture = pngOf(Uint8Array.from(modules.data), modules.size).toString('base64');
    this.drawn.set(brcode, picture);
    return picture;
  }

  /** For a list, which may have hundreds. Draws one code per turn of the event loop, for all lists together. */
  async pngBase64OfList(brcode: string): Promise<string> {
    if (this.drawn.get(brcode) === undefined) {
      this.turn = this.turn.then(() => nextTurn());
      await this.turn;
    }
    return this.pngBase64(brcode);
  }
}

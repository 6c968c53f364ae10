import { crc32, deflateSync } from 'node:zlib';

/** The size of a module in pixels, and the white border that the QR standard requires, in modules. */
const SCALE = 4;
const BORDER = 4;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** One bit per pixel in greyscale, so that the image is small and quick to compress. */
const BIT_DEPTH = 1;

/**
 * Creates a black-and-white PNG of a square of modules (1 is black), row by row. The image of `qrcode` itself is in
 * colour: a Pix code then takes 4.8 ms of processor time instead of 0.8 ms, which is more than the rest of an order.
 */
export function pngOf(modules: Uint8Array, size: number): Buffer {
  const side = (size + 2 * BORDER) * SCALE;
  const rowBytes = Math.ceil(side / 8);
  const pixels = Buffer.alloc((rowBytes + 1) * side, 0xff);
  for (let y = 0; y < side; y += 1) {
    const row = y * (rowBytes + 1);
    pixels[row] = 0;
    const line = Math.floor(y / SCALE) - BORDER;
    if (line < 0 || line >= size) continue;
    for (let column = 0; column < size; column += 1) {
      if (modules[line * size + column]) blacken(pixels, row + 1, (column + BORDER) * SCALE);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = BIT_DEPTH;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function blacken(pixels: Buffer, rowStart: number, from: number): void {
  for (let x = from; x < from + SCALE; x += 1) {
    const at = rowStart + (x >> 3);
    pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7));
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

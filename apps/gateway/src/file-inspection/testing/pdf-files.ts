import { deflateSync } from 'node:zlib';

const CATALOG = '<< /Type /Catalog /Pages 2 0 R /OpenAction 3 0 R >>';
const PAGES = '<< /Type /Pages /Kids [] /Count 0 >>';
/** The object numbers of the two streams with the objects and the cross references. */
const [OBJECT_STREAM, CROSS_REFERENCES] = [90, 91];

type Objects = Readonly<Record<number, string>>;

/**
 * A PDF with a cross-reference table. The catalogue opens object 3. `at` can make the cross reference of an object
 * point elsewhere.
 */
export function plainPdf(
  objects: Objects,
  at: (number: number, offset: number, text: string) => number = (_, offset) => offset,
): Buffer {
  let text = '%PDF-1.7\n';
  const offsets: [number, number][] = [];
  for (const [number, content] of Object.entries({ 1: CATALOG, 2: PAGES, ...objects })) {
    offsets.push([Number(number), text.length]);
    text += `${number} 0 obj\n${content}\nendobj\n`;
  }
  const table = offsets
    .map(([number, offset]) => `${number} 1\n${String(at(number, offset, text)).padStart(10, '0')} 00000 n \n`)
    .join('');
  const size = offsets.reduce((most, [number]) => Math.max(most, number), 0) + 1;
  return Buffer.from(
    `${text}xref\n0 1\n0000000000 65535 f \n${table}trailer\n<< /Root 1 0 R /Size ${size} >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

export const streamOf = (dictionary: string, data: Buffer): string =>
  `<< ${dictionary} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`;

/** Encodes each row as the difference from the row above: PNG's predictor "up". */
function predicted(data: Buffer, columns: number): Buffer {
  const padded = Buffer.concat([data, Buffer.alloc((columns - (data.length % columns)) % columns, ' ')]);
  const rows: Buffer[] = [];
  for (let at = 0; at < padded.length; at += columns) {
    const row = Buffer.alloc(columns + 1, 2);
    for (let column = 0; column < columns; column += 1)
      row[column + 1] = ((padded[at + column] ?? 0) - (at > 0 ? (padded[at + column - columns] ?? 0) : 0)) & 0xff;
    rows.push(row);
  }
  return Buffer.concat(rows);
}

/**
 * A PDF as most programs write it today: objects compressed in a stream and cross references in another. Optionally
 * with a predictor and with `padding` spaces after the objects.
 */
export function compressedPdf(objects: Objects, { predictor = false, padding = 0 } = {}): Buffer {
  const all: [number, string][] = Object.entries({ 1: CATALOG, 2: PAGES, ...objects }).map(([number, content]) => [
    Number(number),
    content,
  ]);
  let [index, data] = ['', ''];
  for (const [number, content] of all) {
    index += `${number} ${data.length} `;
    data += `${content} `;
  }
  const raw = Buffer.concat([Buffer.from(index + data, 'latin1'), Buffer.alloc(padding, ' ')]);
  const columns = 8;
  const packed = deflateSync(predictor ? predicted(raw, columns) : raw);
  const parameters = predictor ? `/DecodeParms << /Predictor 12 /Columns ${columns} >>` : '';
  const before = '%PDF-1.7\n';
  const dictionary = `/Type /ObjStm /N ${all.length} /First ${index.length} /Filter /FlateDecode ${parameters}`;
  let text = `${before}${OBJECT_STREAM} 0 obj\n${streamOf(dictionary, packed)}\nendobj\n`;
  const start = text.length;
  const rows = Buffer.alloc(7 * (CROSS_REFERENCES + 1));
  const row = (number: number, kind: number, one: number, two: number): void => {
    rows.writeUInt8(kind, number * 7);
    rows.writeUInt32BE(one, number * 7 + 1);
    rows.writeUInt16BE(two, number * 7 + 5);
  };
  for (const [at, [number]] of all.entries()) row(number, 2, OBJECT_STREAM, at);
  row(OBJECT_STREAM, 1, before.length, 0);
  row(CROSS_REFERENCES, 1, start, 0);
  const references = streamOf(`/Type /XRef /Size ${CROSS_REFERENCES + 1} /W [1 4 2] /Root 1 0 R`, rows);
  text += `${CROSS_REFERENCES} 0 obj\n${references}\nendobj\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** Which password opens a file: the standard security handler's values of `O` and `U`, for 128-bit RC4 and one `ID`. */
const PASSWORDS = {
  secret: [
    '0db5855fc5326569e765906caf64e4429a4c20d6e996fdef963e9b5080f9e083',
    '30eabcb886d436efd161ab7b96a778fd0122456a91bae5134273a6db134c87c4',
  ],
  none: [
    '566fa873ee33c797cd3b904fdadf814afa34df9a38f6ed41b984e2c6da2aa6f5',
    'e21cc3d13b0faa9934db7d20f11e333e0122456a91bae5134273a6db134c87c4',
  ],
} as const;
const ENCRYPTED_ID = '<31415926535897932384626433832795>';
const ENCRYPTION = 89;

/** A PDF whose strings and streams are encrypted, and which opens with this password. It has no string. */
export function encryptedPdf(password: keyof typeof PASSWORDS, openAction = 'null'): Buffer {
  const [owner, user] = PASSWORDS[password];
  const encryption = `<< /Filter /Standard /Length 128 /O <${owner}> /P -4 /R 3 /U <${user}> /V 2 >>`;
  const file = plainPdf({ 3: openAction, [ENCRYPTION]: encryption }).toString('latin1');
  const trailer = `/Encrypt ${ENCRYPTION} 0 R /ID [${ENCRYPTED_ID} ${ENCRYPTED_ID}] /Root`;
  return Buffer.from(file.replace('/Root', trailer), 'latin1');
}

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

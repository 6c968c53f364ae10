/** A field of an EMV QR code: two digits of id, two of length, then the value. */
export type Field = readonly [id: string, value: string];

const MAX_VALUE = 99;

/** Joins fields in the given order. Throws a RangeError if a value is empty, too long, or not printable ASCII. */
export function writeFields(fields: readonly Field[]): string {
  return fields
    .map(([id, value]) => {
      if (value.length === 0 || value.length > MAX_VALUE || !/^[\x20-\x7e]+$/.test(value))
        throw new RangeError(`field ${id} of a BR Code must have 1 to 99 printable ASCII characters`);
      return id + String(value.length).padStart(2, '0') + value;
    })
    .join('');
}

/** Parses a text of fields; undefined if a length is wrong, an id repeats or characters are left over. */
export function readFields(text: string): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const [, id, length] = /^(\d{2})(\d{2})/.exec(text.slice(at, at + 4)) ?? [];
    if (id === undefined || length === undefined || fields.has(id)) return undefined;
    const end = at + 4 + Number(length);
    if (Number(length) === 0 || end > text.length) return undefined;
    fields.set(id, text.slice(at + 4, end));
    at = end;
  }
  return fields;
}

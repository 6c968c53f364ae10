import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import {
  childId,
  compactId,
  derivedId,
  evidenceFileId,
  isEvidenceFileId,
  isUuid,
  lowerCaseUuid,
  txidOf,
  uuidFromCompact,
  uuidV7,
} from './index';

const NOW = Date.parse('2026-07-15T12:00:00.000Z');
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const anyUuid = bytes(16).map((b) =>
  Buffer.from(b)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
);

describe('ids', () => {
  it('are UUIDv7 strings: the time comes first, the rest is random', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 47 }), bytes(10), (ms, bits) => {
        const random = Buffer.from(bits).toString('hex');
        const id = uuidV7(ms, random);
        return (
          isUuid(id) &&
          /^.{14}7.{4}[89ab]/.test(id) &&
          Number.parseInt(id.replace('-', '').slice(0, 12), 16) === ms &&
          id === uuidV7(ms, random)
        );
      }),
    );
    expect(() => uuidV7(NOW, '0'.repeat(18))).toThrow(RangeError);
    expect(() => uuidV7(Number.NaN, '0'.repeat(19))).toThrow(RangeError);
  });

  it('are UUIDv8 strings when derived: the same parts give the same id, other parts another', () => {
    const parts = fc.array(fc.oneof(fc.constantFrom('', 'a', 'b', 'ab', 'aa'), fc.string({ unit: 'grapheme' })), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        const id = derivedId(...a);
        return (
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id) &&
          id === derivedId(...a) &&
          (id === derivedId(...b)) === same
        );
      }),
      { numRuns: 10_000 },
    );
    expect(derivedId('ab', 'c')).not.toBe(derivedId('a', 'bc'));
    expect(derivedId('a')).not.toBe(derivedId('a', ''));
    // Stream names depend on these ids, so the derivation must never change.
    expect(derivedId('order', '0190a5e0-7c3b-7a1e-9f00-000000000001')).toBe('946406fb-308c-897f-b09b-3749d19cddd8');
  });

  it('a derived id is the SHA-256 of its parts, each preceded by its length in four bytes, for parts of any length and content', () => {
    for (const parts of [
      ['a', 'b'],
      [''],
      ['a'.repeat(127)],
      ['a'.repeat(128)],
      ['a'.repeat(2_000), 'b'],
      ['é', 'e\u0301'],
      ['\ud800'],
      ['key', '日本', 'x'.repeat(200)],
    ]) {
      const bytes = parts.flatMap((part) => {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(Buffer.byteLength(part));
        return [length, Buffer.from(part)];
      });
      const hex = createHash('sha256').update(Buffer.concat(bytes)).digest('hex');
      const [id, variant] = [derivedId(...parts), ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)];
      expect(id.replaceAll('-', '')).toBe(`${hex.slice(0, 12)}8${hex.slice(13, 16)}${variant}${hex.slice(17, 32)}`);
    }
  });

  it('a child id starts with the time of its origin and continues with a hash of the origin and the parts', () => {
    const origin = fc
      .tuple(fc.integer({ min: 0, max: 2 ** 47 }), bytes(10))
      .map(([ms, bits]) => uuidV7(ms, Buffer.from(bits).toString('hex')));
    fc.assert(
      fc.property(
        origin,
        origin,
        fc.constantFrom('order', 'mint'),
        fc.constantFrom('order', 'mint'),
        (a, b, one, other) => {
          const id = childId(a, one);
          return (
            isUuid(id) &&
            /^.{14}8.{4}[89ab]/.test(id) &&
            id.slice(0, 13) === a.slice(0, 13) &&
            id.slice(13) === derivedId(one, a).slice(13) &&
            id === childId(a, one) &&
            (id === childId(b, other)) === (a === b && one === other) &&
            childId(childId(a, one), other).startsWith(a.slice(0, 13))
          );
        },
      ),
    );
    for (const name of ['', 'quote-1', uuidV7(NOW, '0'.repeat(19)).toUpperCase()])
      expect(childId(name, 'order')).toBe(derivedId('order', name));
    // Stream names depend on these too.
    expect(childId('0190a5e0-7c3b-7a1e-9f00-000000000001', 'order')).toBe('0190a5e0-7c3b-897f-b09b-3749d19cddd8');
  });

  it('have one canonical form', () => {
    const id = uuidV7(NOW, '0'.repeat(19));
    expect([id, '123e4567-e89b-12d3-a456-426655440000'].map(isUuid)).toEqual([true, true]);
    expect([id, id.toUpperCase(), `{${id.toUpperCase()}}`, 'X'.repeat(36), ''].map(lowerCaseUuid)).toEqual([
      id,
      id,
      `{${id.toUpperCase()}}`,
      'X'.repeat(36),
      '',
    ]);
    expect(
      [id.toUpperCase().replace('0', 'A'), `{${id}}`, id.replaceAll('-', ''), `${id}\n`, '', null, 7].map(isUuid),
    ).toEqual(Array(7).fill(false));
  });

  it('fit a Pix txid (static: 1–25 alphanumerics, dynamic: [a-zA-Z0-9]{26,35}), reversibly', () => {
    fc.assert(
      fc.property(anyUuid, (id) => {
        const compact = compactId(id);
        return (
          /^[0-9A-Z]{25}$/.test(compact) && uuidFromCompact(compact) === id && /^[a-zA-Z0-9]{26,35}$/.test(txidOf(id))
        );
      }),
      { numRuns: 10_000 },
    );
    expect(['', '0'.repeat(24), 'Z'.repeat(25), 'a'.repeat(25), '-'.repeat(25)].map(uuidFromCompact)).toEqual(
      Array(5).fill(undefined),
    );
    expect(() => compactId('nonsense')).toThrow(TypeError);
    expect(() => txidOf('../../etc')).toThrow(TypeError);
  });

  it('of uploaded files are ev_ and 26 upper-case Crockford base32 characters (a ULID)', () => {
    // The time part is the example of the ULID specification.
    expect(evidenceFileId(Buffer.from('01563df36481'.padEnd(32, '0'), 'hex'))).toBe('ev_01ARYZ6S410000000000000000');
    expect(evidenceFileId(new Uint8Array(16).fill(255))).toBe('ev_7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
    fc.assert(
      fc.property(bytes(16), bytes(16), (a, b) => {
        const [x, y] = [evidenceFileId(a), evidenceFileId(b)];
        return (
          /^ev_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(x) &&
          isEvidenceFileId(x) &&
          Math.sign(Buffer.compare(a, b)) === (x < y ? -1 : x > y ? 1 : 0)
        );
      }),
    );
    expect(['ev_', 'ev_abc', 'EV_A', 'ev_A/../B', `ev_${'A'.repeat(65)}`, 'ev_A\n', 3].map(isEvidenceFileId)).toEqual(
      Array(7).fill(false),
    );
    expect(() => evidenceFileId(new Uint8Array(15))).toThrow(RangeError);
  });
});

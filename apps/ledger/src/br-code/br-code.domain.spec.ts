import { compactId } from '@ponte/kernel';
import fc from 'fast-check';
import type { BrCode } from './br-code.domain';
import { buildBrCode, parseBrCode } from './br-code.domain';
import { crc16 } from './crc.domain';
import { fundingCode } from './funding-code.domain';
import type { Field } from './tlv.domain';
import { writeFields } from './tlv.domain';

const MERCHANT = { name: 'PONTE PAGAMENTOS SA', city: 'SAO PAULO' };
const STATIC: BrCode = {
  kind: 'static',
  key: '123e4567-e89b-12d3-a456-426655440000',
  txid: 'ORD01JD3F8M2K7Q9X4T6V8Z0A',
  amount: '100.50',
  ...MERCHANT,
};
const STATIC_TEXT =
  '00020126580014br.gov.bcb.pix0136123e4567-e89b-12d3-a456-4266554400005204000053039865406100.505802BR5919PONTE PAGAMENTOS SA6009SAO PAULO62290525ORD01JD3F8M2K7Q9X4T6V8Z0A63045682';
const DYNAMIC: BrCode = {
  kind: 'dynamic',
  location: 'pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25',
  ...MERCHANT,
};
const DYNAMIC_TEXT =
  '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca255204000053039865802BR5919PONTE PAGAMENTOS SA6009SAO PAULO62070503***63047E0A';

/** Replaces the last four characters by the correct checksum. */
const resealed = (text: string): string => text.slice(0, -4) + crc16(text.slice(0, -4));

/** Nested fields of a code by id. A field that is null is left out. */
type Fields = Readonly<Record<string, string | null | Readonly<Record<string, string>>>>;
const PIX = 'br.gov.bcb.pix';
const ADDRESSED: Fields = {
  ...{ '00': '01', '26': { '00': PIX, '01': 'key' }, '52': '0000', '53': '986', '54': '1.00' },
  ...{ '58': 'BR', '59': 'NAME', '60': 'CITY', '62': { '05': 'TXID' } },
};
/** The text of a code with these fields, in the order of their ids, and a correct checksum. */
function textOf(fields: Fields): string {
  const written = Object.entries(fields).flatMap(([id, value]): Field[] => {
    if (value === null) return [];
    return [[id, typeof value === 'string' ? value : writeFields(byId(Object.entries(value)))]];
  });
  return resealed(`${writeFields(byId(written))}6304____`);
}
const byId = (fields: Field[]): Field[] => fields.sort(([one], [other]) => Number(one) - Number(other));
const read = (change: Fields) => parseBrCode(textOf({ ...ADDRESSED, ...change }));

describe('A BR Code', () => {
  it('has the check value from the CRC-16/CCITT-FALSE catalogue', () => {
    expect(crc16('123456789')).toBe('29B1');
  });

  it('is built and read as in the two reference strings', () => {
    expect(buildBrCode(STATIC)).toBe(STATIC_TEXT);
    expect(buildBrCode(DYNAMIC)).toBe(DYNAMIC_TEXT);
    expect(parseBrCode(STATIC_TEXT)).toEqual(STATIC);
    expect(parseBrCode(DYNAMIC_TEXT)).toEqual(DYNAMIC);
  });

  it('is read back as it was built', () => {
    // Without the size, long texts would not be made.
    const printable = (max: number) =>
      fc.string({
        minLength: 1,
        maxLength: max,
        size: 'max',
        unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
      });
    const merchant = { name: printable(25), city: printable(15) };
    const code: fc.Arbitrary<BrCode> = fc.oneof(
      fc.record({
        kind: fc.constant('static' as const),
        key: printable(36),
        txid: fc.stringMatching(/^[A-Za-z0-9]{1,25}$/),
        amount: fc.option(
          fc
            .bigInt({ min: 1n, max: 10n ** 11n })
            .map((minor) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`),
        ),
        ...merchant,
      }),
      fc.record({ kind: fc.constant('dynamic' as const), location: printable(77), ...merchant }),
    );
    fc.assert(
      fc.property(code, (made) => {
        expect(parseBrCode(buildBrCode(made))).toEqual(made);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused with any one character changed, and when truncated', () => {
    for (const text of [STATIC_TEXT, DYNAMIC_TEXT]) {
      for (let at = 0; at < text.length; at += 1) {
        expect(parseBrCode(text.slice(0, at))).toBeUndefined();
        const other = text[at] === 'x' ? 'y' : 'x';
        expect(parseBrCode(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
      }
      expect(parseBrCode(`${text}0`)).toBeUndefined();
    }
  });

  it('is refused with wrong lengths even if the checksum is right', () => {
    for (const [honest, lying] of [
      ['5919PONTE', '5999PONTE'],
      ['5919PONTE', '5900PONTE'],
      ['62290525', '62300525'],
      ['62290525', '62290526'],
      ['5919PONTE PAGAMENTOS SA', '5900'],
      ['63045682', '6363045682'],
      ['26580014', '26580015'],
      ['5802BR', '58a2BR'],
    ] as const) {
      expect(STATIC_TEXT).toContain(honest);
      expect(parseBrCode(resealed(STATIC_TEXT.replace(honest, lying)))).toBeUndefined();
    }
  });

  it('is refused if it is not a Pix: other scheme or currency, repeated field, invalid amount, or too long', () => {
    const changed = (from: string, to: string) => parseBrCode(resealed(STATIC_TEXT.replace(from, to)));
    expect(changed('br.gov.bcb.pix', 'br.gov.bcb.pox')).toBeUndefined();
    expect(changed('5303986', '5303840')).toBeUndefined();
    expect(changed('5802BR', '5802BR5802BR')).toBeUndefined();
    expect(changed('5406100.50', '5406-10.50')).toBeUndefined();
    expect(changed('5406100.50', '5406100,50')).toBeUndefined();
    expect(changed('5406100.50', '5407100.505')).toBeUndefined();
    expect(changed('000201', '000202')).toBeUndefined();
    expect(changed('6304', '6305')).toBeUndefined();
    expect(changed('PONTE', 'PÓNTE')).toBeUndefined();
    expect(parseBrCode('0'.repeat(1_000_000))).toBeUndefined();
    expect(parseBrCode('')).toBeUndefined();
  });

  it.each([
    ['merchant category', '52', null],
    ['country', '58', null],
    ['country', '58', 'PT'],
    ['name', '59', null],
    ['name', '59', 'N'.repeat(26)],
    ['city', '60', null],
    ['city', '60', 'C'.repeat(16)],
    ['txid', '62', null],
    ['txid', '62', { '01': 'TXID' }],
    ['txid', '62', { '05': 'X'.repeat(26) }],
    ['account', '26', null],
    ['account', '26', { '00': PIX }],
    ['account', '26', { '00': PIX, '01': 'key', '25': 'host/path' }],
    ['use', '01', '12'],
  ])('is refused without a usable %s (%s: %j)', (_name, id, value) => {
    expect(read({})).toBeDefined();
    expect(read({ [id]: value })).toBeUndefined();
  });

  it('is read from any field for accounts of merchants, next to accounts of other schemes', () => {
    const pix = ADDRESSED['26'] ?? null;
    const other = { '00': 'com.example.cards', '01': 'merchant' };
    for (const id of ['27', '51']) expect(read({ '26': other, [id]: pix })).toEqual(read({}));
    for (const id of ['25', '57']) expect(read({ '26': other, [id]: pix })).toBeUndefined();
  });

  it('is read with fields that we do not write, up to 512 characters', () => {
    const room = 512 - textOf(ADDRESSED).length;
    const filled = (more: number): Fields => ({
      ...Object.fromEntries(['80', '81', '82'].map((id) => [id, 'x'.repeat(80)])),
      ...{ '83': 'x'.repeat(80 + more), '84': 'x'.repeat(room - 5 * 4 - 4 * 80) },
    });
    expect(textOf({ ...ADDRESSED, ...filled(0) })).toHaveLength(512);
    expect(read(filled(0))).toEqual(read({}));
    expect(read(filled(1))).toBeUndefined();
  });

  it('that funds an account leaves the amount to the payer and names the account', () => {
    const accountId = '123e4567-e89b-12d3-a456-426655440000';
    const receiver = { merchantName: MERCHANT.name, merchantCity: MERCHANT.city, pixKey: 'key' };
    const code = parseBrCode(fundingCode(receiver, accountId));
    expect(code).toEqual({ kind: 'static', key: 'key', txid: compactId(accountId), amount: null, ...MERCHANT });
  });

  it('is not built from fields that no bank could read', () => {
    expect(() => buildBrCode({ ...STATIC, city: 'x'.repeat(16) })).toThrow(RangeError);
    expect(() => buildBrCode({ ...STATIC, name: 'ÇA' })).toThrow(RangeError);
    expect(() => buildBrCode({ ...STATIC, key: '' })).toThrow(RangeError);
    expect(() => buildBrCode({ ...STATIC, amount: '1.005' })).toThrow(RangeError);
    expect(() => buildBrCode({ ...STATIC, name: 'x'.repeat(26) })).toThrow(RangeError);
    expect(() => buildBrCode({ ...STATIC, name: 'AÇAÍ' })).toThrow(RangeError);
    expect(() => buildBrCode({ ...STATIC, txid: 'with-dash' })).toThrow(RangeError);
    expect(() => buildBrCode({ ...STATIC, amount: '1' })).toThrow(RangeError);
    expect(() => buildBrCode({ ...DYNAMIC, location: 'x'.repeat(90) })).toThrow(RangeError);
  });
});

import * as fc from 'fast-check';
import { checksumAddress, parseEvmAddress } from '../index';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

describe('an EVM address', () => {
  // The examples of EIP-55.
  const checksummed = [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ];

  it('is compared in lower case, and in mixed case must pass EIP-55', () => {
    for (const text of checksummed) {
      const address = text.toLowerCase();
      for (const form of [text, address, `0x${text.slice(2).toUpperCase()}`])
        expect(parseEvmAddress(form)).toEqual({ ok: true, address });
      expect(checksumAddress(address)).toBe(text);
      const flipped = text.replace(/[a-f](?=[^a-f]*$)/i, (c) =>
        c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
      );
      expect(parseEvmAddress(flipped)).toEqual({ ok: false, code: 'bad-address-checksum' });
    }
  });

  it('consists of 0x and forty hex digits, not all of them zero', () => {
    const refused = [
      '',
      '0x',
      checksummed[0]?.slice(2),
      `0X${'a'.repeat(40)}`,
      `0x${'a'.repeat(39)}`,
      `0x${'a'.repeat(41)}`,
      `0x${'g'.repeat(40)}`,
      `0x${'a'.repeat(40)}\n`,
      ` 0x${'a'.repeat(40)}`,
      `0x${'0'.repeat(40)}`,
      null,
      5,
    ];
    expect(refused.map((text) => parseEvmAddress(text as string))).toEqual(
      refused.map(() => ({ ok: false, code: 'invalid-address' })),
    );
    expect(() => checksumAddress('vitalik.eth')).toThrow(TypeError);
  });

  it('has one valid checksum form, which can be parsed', () => {
    fc.assert(
      fc.property(
        bytes(20).filter((b) => b.some((byte) => byte !== 0)),
        (b) => {
          const lower = `0x${Buffer.from(b).toString('hex')}`;
          const parsed = parseEvmAddress(checksumAddress(lower));
          return parsed.ok && parsed.address === lower;
        },
      ),
      { numRuns: 500 },
    );
  });
});

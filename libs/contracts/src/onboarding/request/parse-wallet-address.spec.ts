import { Refusal } from '@ponte/kernel';
import { parseWalletAddress } from './parse-wallet-address';

function refusalOf(text: string): Refusal | undefined {
  try {
    parseWalletAddress(text);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

describe('The address of a wallet to be whitelisted', () => {
  it.each([
    ['0x52908400098527886e0f7030069857', 'invalid-address', 'must be an EVM address: 0x and 40 hexadecimal digits'],
    [`0x${'0'.repeat(40)}`, 'invalid-address', 'not all zero'],
    ['0x52908400098527886e0f7030069857d2e4169eE7', 'bad-address-checksum', 'EIP-55 checksum'],
  ])('%s is refused with a message that fits', (text, code, message) => {
    expect(refusalOf(text)?.violations).toMatchObject([
      { code, path: 'address', message: expect.stringContaining(message) },
    ]);
  });

  it('is returned in lower case', () => {
    expect(parseWalletAddress('0x52908400098527886E0F7030069857D2E4169EE7')).toBe(
      '0x52908400098527886e0f7030069857d2e4169ee7',
    );
  });
});

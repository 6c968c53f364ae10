import { privateKeyToAccount } from 'viem/accounts';
import { eip191 } from './eip191.wallet-proofs.adapter';

const OWNER = privateKeyToAccount(`0x${'c1'.repeat(32)}`);
const OTHER = privateKeyToAccount(`0x${'c2'.repeat(32)}`);
const message = 'I, Maria Silva, hold this wallet';

describe('the proof of an external wallet', () => {
  it('is accepted with a signature by the key of the address, in any case of its digits', async () => {
    const signature = await OWNER.signMessage({ message });
    for (const address of [OWNER.address, OWNER.address.toLowerCase()])
      expect(await eip191.isSignedBy(address, { message, signature })).toBe(true);
  });

  it.each([
    ['by another key', () => OTHER.signMessage({ message })],
    ['of another message', () => OWNER.signMessage({ message: `${message}.` })],
    ['cut short', async () => (await OWNER.signMessage({ message })).slice(0, -2)],
    ['without hex digits', async () => 'signed by me'],
    ['that is empty', async () => ''],
  ])('is refused with a signature %s', async (_, sign) => {
    expect(await eip191.isSignedBy(OWNER.address, { message, signature: await sign() })).toBe(false);
  });
});

import { keccak256, parseTransaction } from 'viem';
import type { Hex } from '../../chain/chain.port';
import type { Keystore as Signer, UnsignedTransaction } from '../signer.port';

export const TRANSACTION: UnsignedTransaction = {
  chainId: 8453,
  nonce: 3,
  to: `0x${'cd'.repeat(20)}`,
  data: '0xa9059cbb',
  gas: 120_000n,
  maxFeePerGas: 3_000n,
  maxPriorityFeePerGas: 1_000n,
};

/** What every adapter of the signer port must do. `reopen` opens the same store after its process has died. */
export function signerContract(name: string, open: () => Promise<Signer>, reopen: () => Promise<Signer>): void {
  describe(`${name} as a signer`, () => {
    it('makes one key per id, which is the same when created again and after a restart', async () => {
      const signer = await open();
      const address = await signer.createKey('wallet/1');
      expect(address).toMatch(/^0x[0-9a-f]{40}$/);
      await expect(signer.createKey('wallet/1')).resolves.toBe(address);
      await expect(signer.addressOf('wallet/1')).resolves.toBe(address);
      await expect((await reopen()).addressOf('wallet/1')).resolves.toBe(address);
      await expect(signer.createKey('wallet/2')).resolves.not.toBe(address);
    });

    it('makes distinct keys in parallel', async () => {
      const signer = await open();
      const addresses = await Promise.all(Array.from({ length: 50 }, (_, i) => signer.createKey(`wallet/side-${i}`)));
      expect(new Set(addresses).size).toBe(50);
    });

    it('signs exactly the given transaction, and returns the hash of the bytes', async () => {
      const signer = await open();
      const { raw, hash } = await signer.signTransaction('wallet/1', TRANSACTION);
      expect(hash).toBe(keccak256(raw));
      const read = parseTransaction(raw as `0x02${string}`);
      expect({ ...read, to: read.to?.toLowerCase() as Hex }).toMatchObject(TRANSACTION);
    });

    it('returns the same bytes for the same transaction, and other bytes for another nonce or key', async () => {
      const signer = await open();
      const first = await signer.signTransaction('wallet/1', TRANSACTION);
      await expect((await reopen()).signTransaction('wallet/1', TRANSACTION)).resolves.toEqual(first);
      await expect(signer.signTransaction('wallet/1', { ...TRANSACTION, nonce: 4 })).resolves.not.toEqual(first);
      await expect(signer.signTransaction('wallet/2', TRANSACTION)).resolves.not.toEqual(first);
    });
  });
}

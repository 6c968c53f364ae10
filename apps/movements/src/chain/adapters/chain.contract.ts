import { Unavailable } from '@ponte/kernel';
import type { Hex } from '../chain.port';
import type { ChainUnderTest } from './chain-under-test.testing';
import { HOLDER, freshReference, signed, untilMined } from './chain-under-test.testing';

/** What every adapter of the chain port must do with transactions. */
export function chainContract(name: string, open: () => ChainUnderTest): void {
  describe(`${name} as a chain`, () => {
    const asset = 'eth-base/brlv';

    const mint = (reference = freshReference(), units = 5n, nonce?: number) => {
      const { chain, signer, operatorKeyId } = open();
      return signed(chain, signer, operatorKeyId, chain.mintCall({ reference, asset, to: HOLDER, units }), nonce);
    };

    const operatorNonce = async () => {
      const { chain, signer, operatorKeyId } = open();
      return chain.nextNonce(await signer.addressOf(operatorKeyId), 'latest');
    };

    it('reports its chain, and passes the check of its contracts', async () => {
      const { chain } = open();
      expect([chain.chain, chain.chainId]).toEqual(['eth-base', 8453]);
      await expect(chain.check()).resolves.toBeUndefined();
    });

    it('mints to a holder, and reports the block and fee of the mint', async () => {
      const { chain } = open();
      const reference = freshReference();
      const before = await chain.tokenBalance(asset, HOLDER);
      const transaction = await mint(reference, 7n);
      await expect(chain.transaction(transaction.hash)).resolves.toEqual({ status: 'missing' });
      await expect(chain.taken('minter', reference)).resolves.toBe(false);
      await expect(chain.takenAnywhere('minter', reference)).resolves.toBe(false);
      await expect(chain.broadcast(transaction.raw)).resolves.toEqual({ outcome: 'taken' });
      const mined = await untilMined(chain, transaction.hash);
      expect(mined).toMatchObject({
        succeeded: true,
        revertReason: null,
        blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      });
      expect(mined.blockTime).toBeGreaterThan(Date.parse('2024-01-01'));
      expect(mined.feePaid).toBeGreaterThan(0n);
      await expect(chain.taken('minter', reference)).resolves.toBe(true);
      await expect(chain.takenAnywhere('minter', reference)).resolves.toBe(true);
      await expect(chain.takenIn('minter', reference, Date.now())).resolves.toBe(transaction.hash);
      await expect(chain.takenIn('minter', freshReference(), Date.now())).resolves.toBeNull();
      await expect(chain.tokenBalance(asset, HOLDER)).resolves.toBe(before + 7n);
    });

    it('mints a reference once: a second mint is reverted and creates no tokens', async () => {
      const { chain } = open();
      const reference = freshReference();
      const first = await mint(reference);
      await chain.broadcast(first.raw);
      await untilMined(chain, first.hash);
      const before = await chain.tokenBalance(asset, HOLDER);
      const second = await mint(reference);
      await expect(chain.broadcast(second.raw)).resolves.toEqual({ outcome: 'taken' });
      const mined = await untilMined(chain, second.hash);
      expect(mined).toMatchObject({ succeeded: false, revertReason: 'ReferenceAlreadyMinted' });
      await expect(chain.tokenBalance(asset, HOLDER)).resolves.toBe(before);
    });

    it('reports count, receipts and reference of what is mined as of one final block, and nothing else', async () => {
      const { chain, signer, operatorKeyId } = open();
      const sender = await signer.addressOf(operatorKeyId);
      const [reference, unused] = [freshReference(), freshReference()];
      const nonce = await operatorNonce();
      const [transaction, never] = [await mint(reference, 5n, nonce), await mint(unused, 5n, nonce + 1)];
      const ask = (of: Hex | null) =>
        chain.atFinality({ sender, hashes: [transaction.hash, never.hash], reference: of });
      await expect(ask(reference)).resolves.toMatchObject({ minedCount: nonce, receipts: [], referenceTaken: false });
      await chain.broadcast(transaction.raw);
      const { blockNumber, blockHash } = await untilMined(chain, transaction.hash);
      const receipt = { hash: transaction.hash, succeeded: true, blockNumber, blockHash };
      await expect(ask(reference)).resolves.toEqual({
        block: { number: blockNumber, hash: blockHash },
        minedCount: nonce + 1,
        receipts: [receipt],
        referenceTaken: true,
      });
      await expect(ask(unused)).resolves.toMatchObject({ receipts: [receipt], referenceTaken: false });
      await expect(ask(null)).resolves.toMatchObject({ referenceTaken: false });
      const again = await mint(reference, 5n, nonce + 1);
      await chain.broadcast(again.raw);
      await untilMined(chain, again.hash);
      await expect(chain.atFinality({ sender, hashes: [again.hash], reference: unused })).resolves.toMatchObject({
        receipts: [{ hash: again.hash, succeeded: false }],
      });
    });

    it('finds the transaction of a mint that is older than its intent', async () => {
      const { chain } = open();
      const reference = freshReference();
      const transaction = await mint(reference);
      await chain.broadcast(transaction.raw);
      await untilMined(chain, transaction.hash);
      await expect(chain.takenIn('minter', reference, Date.now() + 3_600_000)).resolves.toBe(transaction.hash);
    });

    it('accepts the same bytes any number of times, before and after they are mined, with one effect', async () => {
      const { chain } = open();
      const before = await chain.tokenBalance(asset, HOLDER);
      const transaction = await mint();
      await expect(chain.broadcast(transaction.raw)).resolves.toEqual({ outcome: 'taken' });
      await expect(chain.broadcast(transaction.raw)).resolves.toEqual({ outcome: 'taken' });
      await untilMined(chain, transaction.hash);
      await expect(chain.broadcast(transaction.raw)).resolves.toEqual({ outcome: 'taken' });
      await expect(chain.tokenBalance(asset, HOLDER)).resolves.toBe(before + 5n);
    });

    it('refuses different bytes with a nonce that is already used', async () => {
      const { chain } = open();
      const nonce = await operatorNonce();
      const winner = await mint(freshReference(), 5n, nonce);
      await chain.broadcast(winner.raw);
      await untilMined(chain, winner.hash);
      const loser = await mint(freshReference(), 5n, nonce);
      await expect(chain.broadcast(loser.raw)).resolves.toMatchObject({ outcome: 'refused', reason: 'nonce-used' });
      await expect(chain.transaction(loser.hash)).resolves.toEqual({ status: 'missing' });
    });

    it('holds a transaction until the gap before its nonce is filled', async () => {
      const { chain } = open();
      const nonce = await operatorNonce();
      const [first, second] = [await mint(freshReference(), 5n, nonce), await mint(freshReference(), 5n, nonce + 1)];
      await expect(chain.broadcast(second.raw)).resolves.toEqual({ outcome: 'taken' });
      await expect(chain.transaction(second.hash)).resolves.toEqual({ status: 'pooled' });
      await chain.broadcast(first.raw);
      await Promise.all([untilMined(chain, first.hash), untilMined(chain, second.hash)]);
      await expect(operatorNonce()).resolves.toBe(nonce + 2);
    });

    it('gives a transaction more confirmations as blocks follow', async () => {
      const { chain } = open();
      const first = await mint();
      await chain.broadcast(first.raw);
      const mined = await untilMined(chain, first.hash);
      const later = await mint();
      await chain.broadcast(later.raw);
      await untilMined(chain, later.hash);
      const again = await untilMined(chain, first.hash, 2);
      expect(again).toMatchObject({ blockNumber: mined.blockNumber, blockHash: mined.blockHash });
    });

    it('reports heads: the newest at once, then newer ones, until it is stopped', async () => {
      const { chain } = open();
      const end = new AbortController();
      const seen: number[] = [];
      let last: Hex | undefined;
      for await (const head of chain.heads(end.signal)) {
        seen.push(head.number);
        if (last !== undefined && (await chain.transaction(last)).status === 'mined') end.abort();
        if (last !== undefined) continue;
        const transaction = await mint();
        last = transaction.hash;
        await chain.broadcast(transaction.raw);
      }
      expect(seen.length).toBeGreaterThan(1);
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    });

    it('refuses bytes that are not a transaction, and a transaction of another chain', async () => {
      const { chain, signer, operatorKeyId } = open();
      await expect(chain.broadcast('0x02c0ffee')).resolves.toMatchObject({ outcome: 'refused', reason: 'invalid' });
      const call = chain.mintCall({ reference: freshReference(), asset, to: HOLDER, units: 1n });
      const elsewhere = await signer.signTransaction(operatorKeyId, {
        chainId: 1,
        nonce: await operatorNonce(),
        ...call,
        ...(await chain.feeQuote()),
      });
      await expect(chain.broadcast(elsewhere.raw)).resolves.toMatchObject({ outcome: 'refused' });
    });

    it('rejects reads with Unavailable and reports a broadcast as unknown when no node answers', async () => {
      const { unreachable } = open();
      const { raw, hash } = await mint();
      await expect(unreachable.broadcast(raw)).resolves.toMatchObject({ outcome: 'unknown' });
      const reads = [
        unreachable.transaction(hash),
        unreachable.nextNonce(HOLDER, 'latest'),
        unreachable.nextNonce(HOLDER, 'final'),
        unreachable.feeQuote(),
        unreachable.tokenBalance(asset, HOLDER),
        unreachable.taken('minter', hash),
        unreachable.takenAnywhere('minter', hash),
        unreachable.takenIn('minter', hash, 0),
        unreachable.check(),
        unreachable.atFinality({ sender: HOLDER, hashes: [hash], reference: hash }),
      ];
      for (const read of await Promise.allSettled(reads)) {
        expect(read).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
      }
    });
  });
}

import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '@ponte/kernel';
import type { ContractCall, EvmChain, Hex, MinedTransaction } from '../chain.port';
import type { KeyStore as Signer, SignedTransaction } from '../../signer/signer.port';

export interface ChainUnderTest {
  /** eth-base, with contracts, mining by itself. */
  readonly chain: EvmChain;
  readonly signer: Signer;
  readonly operatorKeyId: string;
  /** Holds USDC. */
  readonly treasuryKeyId: string;
  /** The same adapter before a node that does not answer. */
  readonly unreachable: EvmChain;
}

export const HOLDER: Hex = `0x${'ab'.repeat(20)}`;

export function freshReference(): Hex {
  return `0x${createHash('sha256').update(randomUUID()).digest('hex')}`;
}

export async function signed(
  chain: EvmChain,
  signer: Signer,
  keyId: string,
  call: ContractCall,
  nonce?: number,
): Promise<SignedTransaction> {
  const sender = await signer.addressOf(keyId);
  const next = nonce ?? (await chain.nextNonce(sender, 'latest'));
  return signer.signTransaction(keyId, { chainId: chain.chainId, nonce: next, ...call, ...(await chain.feeQuote()) });
}

/** Looks until the transaction is mined, with so many confirmations. */
export async function untilMined(chain: EvmChain, hash: Hex, confirmations = 1): Promise<MinedTransaction> {
  for (let look = 0; look < 1_000; look += 1) {
    const found = await chain.transaction(hash);
    if (found.status === 'mined' && found.confirmations >= confirmations) return found;
    await sleep(10);
  }
  throw new Error(`${hash} was not mined`);
}

/** What every adapter of the chain port does. */
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

    it('says which chain it is, and that its contracts are there', async () => {
      const { chain } = open();
      expect([chain.chain, chain.chainId]).toEqual(['eth-base', 8453]);
      await expect(chain.check()).resolves.toBeUndefined();
    });

    it('mints to a holder, and tells when and where it was mined', async () => {
      const { chain } = open();
      const reference = freshReference();
      const before = await chain.tokenBalance(asset, HOLDER);
      const transaction = await mint(reference, 7n);
      await expect(chain.transaction(transaction.hash)).resolves.toEqual({ status: 'missing' });
      await expect(chain.taken('minter', reference)).resolves.toBe(false);
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
      await expect(chain.takenIn('minter', reference, Date.now())).resolves.toBe(transaction.hash);
      await expect(chain.takenIn('minter', freshReference(), Date.now())).resolves.toBeNull();
      await expect(chain.tokenBalance(asset, HOLDER)).resolves.toBe(before + 7n);
    });

    it('mints a reference once: the second mint is reverted and nothing comes into being', async () => {
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

    it('tells count, receipts and reference at one final block, of what is mined there and of nothing else', async () => {
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

    it('mints a share at no more than what it may cost', async () => {
      const { chain, signer, operatorKeyId } = open();
      const share = { asset: 'eth-base/wbrly', to: HOLDER, units: 1_000n } as const;
      const before = await chain.tokenBalance(share.asset, HOLDER);
      const paid = await signed(
        chain,
        signer,
        operatorKeyId,
        chain.mintCall({ ...share, reference: freshReference(), mostBacking: 1_000n }),
      );
      await chain.broadcast(paid.raw);
      expect((await untilMined(chain, paid.hash)).succeeded).toBe(true);
      await expect(chain.tokenBalance(share.asset, HOLDER)).resolves.toBe(before + 1_000n);
      const dear = await signed(
        chain,
        signer,
        operatorKeyId,
        chain.mintCall({ ...share, reference: freshReference(), mostBacking: 999n }),
      );
      await chain.broadcast(dear.raw);
      await expect(untilMined(chain, dear.hash)).resolves.toMatchObject({
        succeeded: false,
        revertReason: 'BackingTooDear',
      });
    });

    it('moves tokens out of wallets in their order, deploying them, and once for each reference', async () => {
      const { chain, signer, operatorKeyId } = open();
      const salts = [freshReference(), freshReference(), freshReference()];
      const wallets = salts.map((salt) => chain.walletAddress(salt));
      const carried = async (call: ContractCall) => {
        const { raw, hash } = await signed(chain, signer, operatorKeyId, call);
        await chain.broadcast(raw);
        return { hash, mined: await untilMined(chain, hash) };
      };
      const holdings = () => Promise.all(wallets.map((wallet) => chain.tokenBalance(asset, wallet)));
      for (const [at, units] of [
        [0, 5n],
        [2, 10n],
      ] as const) {
        await carried(chain.mintCall({ reference: freshReference(), asset, to: wallets[at] as Hex, units }));
      }
      const before = await chain.tokenBalance(asset, HOLDER);
      const reference = freshReference();
      const request = { reference, asset, to: HOLDER, units: 8n, wallets: salts } as const;
      const first = await carried(chain.sendTokenCall(request));
      expect(first.mined).toMatchObject({ succeeded: true });
      await expect(holdings()).resolves.toEqual([0n, 0n, 7n]);
      await expect(chain.tokenBalance(asset, HOLDER)).resolves.toBe(before + 8n);
      await expect(chain.taken('custody', reference)).resolves.toBe(true);
      await expect(chain.taken('minter', reference)).resolves.toBe(false);
      await expect(chain.takenIn('custody', reference, 0)).resolves.toBe(first.hash);
      await expect(chain.takenIn('custody', freshReference(), 0)).resolves.toBeNull();
      const again = await carried(chain.sendTokenCall({ ...request, units: 1n }));
      expect(again.mined).toMatchObject({ succeeded: false, revertReason: 'ReferenceAlreadyMoved' });
      const tooMuch = freshReference();
      const short = await carried(chain.sendTokenCall({ ...request, reference: tooMuch }));
      expect(short.mined).toMatchObject({ succeeded: false, revertReason: 'WalletsHoldTooLittle' });
      await expect(chain.taken('custody', tooMuch)).resolves.toBe(false);
      const second = await carried(chain.sendTokenCall({ ...request, reference: freshReference(), units: 7n }));
      expect(second.mined).toMatchObject({ succeeded: true });
      await expect(holdings()).resolves.toEqual([0n, 0n, 0n]);
      expect(chain.contracts.size).toBeGreaterThanOrEqual(7);
    });

    it('burns what it redeems out of wallets, and redeems shares for no less than they must bring', async () => {
      const { chain, signer, operatorKeyId } = open();
      const salts = [freshReference(), freshReference()];
      const wallets = salts.map((salt) => chain.walletAddress(salt));
      const carried = async (call: ContractCall) => {
        const { raw, hash } = await signed(chain, signer, operatorKeyId, call);
        await chain.broadcast(raw);
        return { hash, mined: await untilMined(chain, hash) };
      };
      for (const wallet of wallets)
        await carried(chain.mintCall({ reference: freshReference(), asset, to: wallet as Hex, units: 5n }));
      const reference = freshReference();
      const burned = await carried(chain.redeemCall({ reference, asset, units: 8n, wallets: salts }));
      expect(burned.mined).toMatchObject({ succeeded: true });
      await expect(Promise.all(wallets.map((wallet) => chain.tokenBalance(asset, wallet)))).resolves.toEqual([0n, 2n]);
      await expect(chain.takenIn('custody', reference, 0)).resolves.toBe(burned.hash);
      const again = await carried(chain.redeemCall({ reference, asset, units: 1n, wallets: salts }));
      expect(again.mined).toMatchObject({ succeeded: false, revertReason: 'ReferenceAlreadyMoved' });
      const share = { asset: 'eth-base/wbrly', units: 1_000n } as const;
      await carried(
        chain.mintCall({ ...share, reference: freshReference(), to: wallets[0] as Hex, mostBacking: 1_000n }),
      );
      const dear = await carried(
        chain.redeemCall({ ...share, reference: freshReference(), wallets: salts, leastBacking: 1_001n }),
      );
      expect(dear.mined).toMatchObject({ succeeded: false, revertReason: 'SharesBringTooLittle' });
      const redeemed = await carried(
        chain.redeemCall({ ...share, reference: freshReference(), wallets: salts, leastBacking: 1_000n }),
      );
      expect(redeemed.mined).toMatchObject({ succeeded: true });
      await expect(chain.tokenBalance(share.asset, wallets[0] as Hex)).resolves.toBe(0n);
    });

    it('takes the same bytes any number of times, before and after they are mined, with one effect', async () => {
      const { chain } = open();
      const before = await chain.tokenBalance(asset, HOLDER);
      const transaction = await mint();
      await expect(chain.broadcast(transaction.raw)).resolves.toEqual({ outcome: 'taken' });
      await expect(chain.broadcast(transaction.raw)).resolves.toEqual({ outcome: 'taken' });
      await untilMined(chain, transaction.hash);
      await expect(chain.broadcast(transaction.raw)).resolves.toEqual({ outcome: 'taken' });
      await expect(chain.tokenBalance(asset, HOLDER)).resolves.toBe(before + 5n);
    });

    it('refuses other bytes under a used nonce', async () => {
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

    it('moves tokens that are there, and reverts a transfer of more', async () => {
      const { chain, signer, treasuryKeyId } = open();
      const transfer = { asset: 'eth-base/usdc', to: HOLDER } as const;
      const before = await chain.tokenBalance(transfer.asset, HOLDER);
      const covered = await signed(chain, signer, treasuryKeyId, chain.transferCall({ ...transfer, units: 3n }));
      await chain.broadcast(covered.raw);
      expect((await untilMined(chain, covered.hash)).succeeded).toBe(true);
      const uncovered = await signed(
        chain,
        signer,
        treasuryKeyId,
        chain.transferCall({ ...transfer, units: 10n ** 30n }),
      );
      await chain.broadcast(uncovered.raw);
      await expect(untilMined(chain, uncovered.hash)).resolves.toMatchObject({
        succeeded: false,
        revertReason: 'ERC20InsufficientBalance',
      });
      await expect(chain.tokenBalance(transfer.asset, HOLDER)).resolves.toBe(before + 3n);
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

    it('refuses what is not a transaction, or is one of another chain', async () => {
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

    it('refuses assets that are not here, and minting what others issue', () => {
      const { chain } = open();
      const request = { reference: freshReference(), to: HOLDER, units: 1n };
      const refused = expect.objectContaining({ code: 'asset-not-supported' });
      expect(() => chain.mintCall({ ...request, asset: 'eth-base/usdc' })).toThrow(refused);
      expect(() => chain.mintCall({ ...request, asset: 'tempo/brlv' })).toThrow(refused);
      expect(() => chain.transferCall({ ...request, asset: 'fiat/brl' })).toThrow(refused);
    });

    it('knows nothing when no node answers: reads are unavailable, a broadcast is unknown (a time-out means unknown)', async () => {
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

import { Unavailable } from '@ponte/kernel';
import type { BlockId, ContractCall, Hex, TokenRequest } from '../chain.port';
import type { ChainUnderTest } from './chain-under-test.testing';
import { HOLDER, freshReference, sendAndMine, signed } from './chain-under-test.testing';

const OTHER: Hex = `0x${'cd'.repeat(20)}`;

/** What every adapter of the chain port must do with calls of our contracts. */
export function contractCallsContract(name: string, open: () => ChainUnderTest): void {
  describe(`${name} with our contracts`, () => {
    const asset = 'eth-base/brlv';
    const carried = (call: ContractCall, keyId = open().operatorKeyId) => sendAndMine(open(), keyId, call);

    /** The transaction has made this movement, and no other one. */
    async function onlyMovementOf(hash: Hex, request: TokenRequest): Promise<void> {
      const { chain, unreachable } = open();
      const made = (change: Partial<TokenRequest>) =>
        chain.agreedMovement(hash, { ...request, ...change } as TokenRequest);
      await expect(made({})).resolves.toBe(true);
      const others = [{ reference: freshReference() }, { asset: 'eth-base/brly' }, { units: 1n }] as const;
      for (const other of others) await expect(made(other)).resolves.toBe(false);
      if (request.kind !== 'redemption') await expect(made({ to: OTHER })).resolves.toBe(false);
      for (const kind of ['mint', 'redemption', 'token-movement'] as const)
        await expect(made({ kind, to: HOLDER } as Partial<TokenRequest>)).resolves.toBe(kind === request.kind);
      await expect(chain.agreedMovement(freshReference(), request)).rejects.toBeInstanceOf(Unavailable);
      await expect(unreachable.agreedMovement(hash, request)).rejects.toBeInstanceOf(Unavailable);
    }

    it('tells whether each contract accepts an address as an operator, at a final block and now', async () => {
      const { chain, signer, operatorKeyId, unreachable } = open();
      const sender = await signer.addressOf(operatorKeyId);
      const question = { sender, hashes: [], reference: null } as const;
      for (const by of ['minter', 'custody', 'certificates'] as const) {
        const { role } = await chain.atFinality({ ...question, by, asksRole: true });
        expect(role?.isOperator).toBe(true);
        expect(chain.contracts).toContain(role?.contract);
        await expect(chain.isOperator(by, sender)).resolves.toBe(true);
      }
      await expect(chain.atFinality(question)).resolves.not.toHaveProperty('role');
      await expect(unreachable.isOperator('minter', sender)).rejects.toBeInstanceOf(Unavailable);
    });

    it('counts the mined transactions of a sender at a block that it has', async () => {
      const { chain, signer, operatorKeyId, unreachable } = open();
      const sender = await signer.addressOf(operatorKeyId);
      const call = chain.mintCall({ reference: freshReference(), asset, to: HOLDER, units: 1n });
      const { blockNumber: number, blockHash: hash } = (await carried(call)).mined;
      const parent = (await chain.blockAt(number - 1)) as BlockId;
      await expect(chain.minedCount(sender, parent)).resolves.toBe(
        (await chain.minedCount(sender, { number, hash })) - 1,
      );
      const unknown = { number, hash: freshReference() };
      await expect(chain.minedCount(sender, unknown)).rejects.toBeInstanceOf(Unavailable);
      await expect(unreachable.minedCount(sender, parent)).rejects.toBeInstanceOf(Unavailable);
    });

    it('tells which contract signed bytes call', async () => {
      const { chain, signer, operatorKeyId } = open();
      const mint = chain.mintCall({ reference: freshReference(), asset, to: HOLDER, units: 1n });
      const { raw } = await signed(chain, signer, operatorKeyId, mint);
      expect(chain.calledBy(raw)).toBe(mint.to);
      const fees = await chain.feeQuote();
      const elsewhere = await signer.signTransaction(operatorKeyId, { ...mint, ...fees, chainId: 1, nonce: 0 });
      for (const bytes of [elsewhere.raw, '0x', raw.slice(0, -2)] as Hex[]) expect(chain.calledBy(bytes)).toBeNull();
    });

    it('mints a share only if it costs no more than the limit', async () => {
      const { chain } = open();
      const share = { asset: 'eth-base/wbrly', to: HOLDER, units: 1_000n } as const;
      const before = await chain.tokenBalance(share.asset, HOLDER);
      const bought = { ...share, reference: freshReference(), maxBacking: 1_000n };
      const paid = await carried(chain.mintCall(bought));
      expect(paid.mined.succeeded).toBe(true);
      await onlyMovementOf(paid.hash, { kind: 'mint', ...bought });
      await expect(chain.tokenBalance(share.asset, HOLDER)).resolves.toBe(before + 1_000n);
      const dear = await carried(chain.mintCall({ ...share, reference: freshReference(), maxBacking: 999n }));
      expect(dear.mined).toMatchObject({ succeeded: false, revertReason: 'BackingTooDear' });
    });

    it('moves tokens out of wallets in the given order, deploys the wallets, and accepts each reference once', async () => {
      const { chain } = open();
      const salts = [freshReference(), freshReference(), freshReference()];
      const wallets = salts.map((salt) => chain.walletAddress(salt));
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
      await onlyMovementOf(first.hash, { kind: 'token-movement', ...request });
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

    it('burns what it redeems from wallets, and redeems shares only if they return the required amount', async () => {
      const { chain } = open();
      const salts = [freshReference(), freshReference()];
      const wallets = salts.map((salt) => chain.walletAddress(salt));
      for (const wallet of wallets)
        await carried(chain.mintCall({ reference: freshReference(), asset, to: wallet as Hex, units: 5n }));
      const reference = freshReference();
      const burning = { reference, asset, units: 8n, wallets: salts } as const;
      const burned = await carried(chain.redeemCall(burning));
      expect(burned.mined).toMatchObject({ succeeded: true });
      await onlyMovementOf(burned.hash, { kind: 'redemption', ...burning });
      await expect(Promise.all(wallets.map((wallet) => chain.tokenBalance(asset, wallet)))).resolves.toEqual([0n, 2n]);
      await expect(chain.takenIn('custody', reference, 0)).resolves.toBe(burned.hash);
      const again = await carried(chain.redeemCall({ reference, asset, units: 1n, wallets: salts }));
      expect(again.mined).toMatchObject({ succeeded: false, revertReason: 'ReferenceAlreadyMoved' });
      const share = { asset: 'eth-base/wbrly', units: 1_000n } as const;
      await carried(
        chain.mintCall({ ...share, reference: freshReference(), to: wallets[0] as Hex, maxBacking: 1_000n }),
      );
      const dear = await carried(
        chain.redeemCall({ ...share, reference: freshReference(), wallets: salts, minBacking: 1_001n }),
      );
      expect(dear.mined).toMatchObject({ succeeded: false, revertReason: 'SharesBringTooLittle' });
      const sold = { ...share, reference: freshReference(), wallets: salts, minBacking: 1_000n };
      const redeemed = await carried(chain.redeemCall(sold));
      expect(redeemed.mined).toMatchObject({ succeeded: true });
      await onlyMovementOf(redeemed.hash, { kind: 'redemption', ...sold });
      const minBacking = 1_001n;
      await expect(chain.agreedMovement(redeemed.hash, { kind: 'redemption', ...sold, minBacking })).resolves.toBe(
        false,
      );
      await expect(chain.tokenBalance(share.asset, wallets[0] as Hex)).resolves.toBe(0n);
    });

    it('transfers tokens that the sender has, and reverts a transfer of more', async () => {
      const { chain, treasuryKeyId } = open();
      const transfer = { asset: 'eth-base/usdc', to: HOLDER } as const;
      const before = await chain.tokenBalance(transfer.asset, HOLDER);
      const covered = await carried(chain.transferCall({ ...transfer, units: 3n }), treasuryKeyId);
      expect(covered.mined.succeeded).toBe(true);
      const uncovered = await carried(chain.transferCall({ ...transfer, units: 10n ** 30n }), treasuryKeyId);
      expect(uncovered.mined).toMatchObject({ succeeded: false, revertReason: 'ERC20InsufficientBalance' });
      await expect(chain.tokenBalance(transfer.asset, HOLDER)).resolves.toBe(before + 3n);
    });

    it('refuses assets of other chains, and minting tokens that other companies issue', () => {
      const { chain } = open();
      const request = { reference: freshReference(), to: HOLDER, units: 1n };
      const refused = expect.objectContaining({ code: 'asset-not-supported' });
      expect(() => chain.mintCall({ ...request, asset: 'eth-base/usdc' })).toThrow(refused);
      expect(() => chain.mintCall({ ...request, asset: 'tempo/brlv' })).toThrow(refused);
      expect(() => chain.transferCall({ ...request, asset: 'fiat/brl' })).toThrow(refused);
    });
  });
}

import type { AssetId } from '@ponte/kernel';
import {
  CheckTokenMovement,
  CreateTransfer,
  FindHouseAddresses,
  GetWhitelistedWallets,
  RequestTokenMovement,
  ResolveWallet,
} from '@ponte/contracts';
import { implementationOf } from '../chain/adapters/custody';
import type { CertificatesUnderTest } from '../testing/certificates-under-test';
import { OTHER, OWNER, uuid } from '../testing/certificates-under-test';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';
import { SigningKeys } from '../signer-key/signing-keys.read-model';
import { codeOf } from '../testing/simulated-chains';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';

const service = CertificatesForEachTest.of();
let movements: CertificatesUnderTest;
let chains: CertificatesForEachTest['chains'];
beforeEach(async () => {
  movements = service.movements;
  chains = service.chains;
  await movements.part(SigningKeys).complete('eth-base', [RETIRED]);
});

/** The address of a key that has signed, and is not in the settings any more. */
const RETIRED = `0x${'ef'.repeat(20)}` as const;
const OUTSIDE = `0x${'cd'.repeat(20)}`;
const PARENT = uuid();
const asset = 'eth-base/brlv' as const;
const transfer = async (targetAddress: string) =>
  movements.bus.request(
    CreateTransfer,
    {
      transferId: uuid(),
      callerAccountId: PARENT,
      accountId: OWNER,
      sourceAddress: await movements.wallet(OWNER),
      targetAddress,
      asset,
      amount: '1',
      externalId: null,
      bodyHash: null,
    },
    movements.context(),
  );
const withdraw = (destination: string) => {
  const movementId = uuid();
  const owner = { kind: 'withdrawal', id: movementId } as const;
  return movements.bus.request(
    RequestTokenMovement,
    { movementId, owner, accountId: OWNER, asset, amount: '1', destination, sourceWalletId: null },
    movements.context(),
  );
};

const check = async (destination: string, token: AssetId = asset) => {
  const query = { accountId: OWNER, asset: token, amount: null, destination };
  const { violations } = await movements.bus.request(CheckTokenMovement, query, movements.context());
  return violations.map(({ code, path }) => `${code} ${path}`).join() || 'accepted';
};

/** Every house address on eth-base, by its role. */
async function houseAddresses(): Promise<Readonly<Record<string, string>>> {
  const { evm, minter, custody, tokens } = chains.open.chains.of('eth-base');
  const { certificates } = chains.base.deployment;
  return {
    minter,
    custody,
    ...(certificates === undefined ? {} : { certificates }),
    'code of the wallets': implementationOf(custody),
    treasury: evm.walletAddress(saltOf(treasuryWalletId('eth-base'))),
    operator: await chains.open.signer.addressOf('operator'),
    'operator that is no longer used': RETIRED,
    ...tokens,
  };
}

describe('a house address', () => {
  it('is refused as a target of transfers, NFT transfers and token withdrawals, in any letter case', async () => {
    const certificate = await movements.minted();
    for (const [what, address] of Object.entries(await houseAddresses())) {
      for (const written of [address, `0x${address.slice(2).toUpperCase()}`]) {
        expect([
          what,
          await codeOf(transfer(written)),
          await codeOf(movements.transfer(certificate, written)),
          await codeOf(withdraw(written)),
          await check(written),
        ]).toEqual([what, ...Array.from({ length: 3 }, () => 'invalid-address'), 'invalid-address destination']);
      }
    }
    expect(movements.ofType('TransferCreated')).toEqual([]);
    expect(movements.ofType('NftTransferCreated')).toEqual([]);
    await movements.standing(certificate.id, 'active');
  });

  it('is known as such before it is whitelisted', async () => {
    const house = Object.values(await houseAddresses()).map((address) => address.toLowerCase());
    const query = { addresses: [OUTSIDE, ...house] };
    const { found } = await movements.bus.request(FindHouseAddresses, query, movements.context());
    expect(found).toEqual(house.map((address) => ({ address, loss: expect.stringContaining('treasury') as string })));
    expect(await movements.bus.request(FindHouseAddresses, { addresses: [] }, movements.context())).toEqual({
      found: [],
    });
  });

  it('is refused without affecting other targets', async () => {
    const certificate = await movements.minted();
    expect(await codeOf(withdraw(OUTSIDE))).toBe('accepted');
    expect(await codeOf(movements.transfer(certificate, OUTSIDE))).toBe('accepted');
  });
});

describe('a wallet on another chain only', () => {
  it('is refused as a target of transfers, NFT transfers and token withdrawals, even if it is of another account', async () => {
    const certificate = await movements.minted();
    for (const owner of [OWNER, OTHER]) {
      await movements.wallet(owner);
      const elsewhere = await movements.secondWallet(owner, 'eth-mainnet');
      expect([
        await codeOf(transfer(elsewhere)),
        await codeOf(movements.transfer(certificate, elsewhere)),
        await codeOf(withdraw(elsewhere)),
        await check(elsewhere),
      ]).toEqual([...Array.from({ length: 3 }, () => 'invalid-address'), 'invalid-address destination']);
      await expect(withdraw(elsewhere)).rejects.toThrow(
        'is a wallet on eth-mainnet and not on eth-base, where what is sent to it would be lost',
      );
      expect(await check(elsewhere, 'eth-mainnet/usdc')).toBe(
        owner === OWNER ? 'same-source-and-target destination' : 'accepted',
      );
    }
    await movements.standing(certificate.id, 'active');
  });
});

describe('a wallet of a closed account', () => {
  it('is refused as a target of transfers, NFT transfers, token withdrawals and orders', async () => {
    const certificate = await movements.minted();
    const target = await movements.wallet(OTHER);
    expect([await check(target), await codeOf(withdraw(target))]).toEqual(['accepted', 'accepted']);
    movements.statuses.set(OTHER, 'closed');
    expect([
      await codeOf(transfer(target)),
      await codeOf(movements.transfer(certificate, target)),
      await codeOf(withdraw(target)),
      await check(target),
    ]).toEqual([...Array.from({ length: 3 }, () => 'invalid-address'), 'invalid-address destination']);
    await expect(withdraw(target)).rejects.toThrow('is a wallet of a closed account, where nothing would be credited');
    const wallets = [{ address: target.toLowerCase(), fx: true }];
    movements.bus.handle(GetWhitelistedWallets.pattern, () => Promise.resolve({ wallets }));
    const query = { accountId: OWNER, chain: 'eth-base', address: target, tokens: null } as const;
    const { relation } = await movements.bus.request(ResolveWallet, query, movements.context());
    expect(relation).toMatchObject({ kind: 'external', whitelisted: false, fxWhitelisted: false });
  });
});

describe('a whitelisted address', () => {
  it('is no target of an order on a chain where tokens sent to it would be lost', async () => {
    const elsewhere = await movements.secondWallet(OTHER, 'eth-mainnet');
    const house = Object.values(await houseAddresses()).map((address) => address.toLowerCase());
    const wallets = [...house, elsewhere, OUTSIDE].map((address) => ({ address: address.toLowerCase(), fx: true }));
    movements.bus.handle(GetWhitelistedWallets.pattern, () => Promise.resolve({ wallets }));
    const resolve = async (address: string, chain: 'eth-base' | 'eth-mainnet' = 'eth-base') => {
      const query = { accountId: OWNER, chain, address, tokens: null };
      return (await movements.bus.request(ResolveWallet, query, movements.context())).relation;
    };
    for (const address of [...house, elsewhere])
      expect(await resolve(address)).toMatchObject({ kind: 'external', whitelisted: false, fxWhitelisted: false });
    expect(await resolve(OUTSIDE)).toMatchObject({ whitelisted: true, fxWhitelisted: true });
    expect(await resolve(elsewhere, 'eth-mainnet')).toMatchObject({ whitelisted: true, ofAnotherAccount: true });
  });
});

describe('the check of a destination before a withdrawal is created', () => {
  it('accepts outside addresses and wallets of other accounts', async () => {
    await movements.wallet(OWNER);
    expect([await check(OUTSIDE), await check(await movements.wallet(OTHER))]).toEqual(['accepted', 'accepted']);
  });

  it('refuses every wallet of the account, and text that is not an address', async () => {
    expect(await check(await movements.wallet(OWNER))).toBe('same-source-and-target destination');
    expect(await check(await movements.secondWallet(OWNER))).toBe('same-source-and-target destination');
    expect(await check('0x12')).toBe('invalid-address destination');
    expect(await check(OUTSIDE, 'fiat/brl')).toBe('asset-not-supported asset');
  });
});

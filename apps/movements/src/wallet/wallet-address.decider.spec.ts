import { WalletAddressClaimed } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { walletAddress, walletAddressId } from './wallet-address.decider';

const AT = '2026-03-01T12:00:00.000Z';
const claim = { chain: 'tempo', address: '0x1', walletId: 'w', accountId: 'a', at: AT } as const;
const claimed = new WalletAddressClaimed({
  ...{ chain: 'tempo', address: '0x1', walletId: 'w', accountId: 'a', claimedAt: AT },
});

describe('the address of a wallet', () => {
  it('belongs to no wallet until one claims it, once', () => {
    expect(scenario(walletAddress).given().state()).toEqual({ walletId: null });
    scenario(walletAddress).given().when(claim).then(claimed);
    scenario(walletAddress)
      .given(claimed)
      .when({ ...claim, at: 'later' })
      .then();
    expect(scenario(walletAddress).given(claimed).state()).toEqual({ walletId: 'w' });
  });

  it('is never given to a second wallet, not even to one of the same account', () => {
    for (const accountId of ['a', 'b'])
      expect(() =>
        scenario(walletAddress)
          .given(claimed)
          .when({ ...claim, walletId: 'other', accountId })
          .events(),
      ).toThrow('belongs to wallet w');
  });

  it('is another one on each chain', () => {
    const ids = (['tempo', 'eth-base'] as const).flatMap((chain) =>
      ['0x1', '0x2'].map((address) => walletAddressId(chain, address)),
    );
    expect(new Set(ids).size).toBe(4);
    expect(walletAddressId('tempo', '0x1')).toBe(ids[0]);
  });
});

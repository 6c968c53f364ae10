import type { TransactionPurpose } from '@ponte/contracts';
import { treasuryWalletId } from '../wallet/wallet.decider';
import { effectOf } from './movement-effect.domain';

const common = {
  id: 'i',
  orderId: 'o',
  accountId: 'a',
  asset: 'eth-base/brlv',
  amount: '1.000000000000000000',
} as const;
const movement = (walletId: string, receiver: 'customer' | null): TransactionPurpose => ({
  ...common,
  kind: 'token-movement',
  owner: { kind: 'order', id: 'o' },
  asset: 'eth-base/usdc',
  walletIds: [walletId],
  from: '0x1',
  to: '0x2',
  receiver: receiver && { accountId: 'a', parentId: null, walletId: 'w2' },
});
const treasury = treasuryWalletId('eth-base');

describe('the effect of a transaction', () => {
  it.each<[string, TransactionPurpose, string | null]>([
    ['a mint', { ...common, kind: 'mint', to: '0x1' }, 'minted'],
    ['a redemption', { ...common, kind: 'redemption', walletIds: ['w'], minBrl: null }, 'burned'],
    ['a payment of the treasury to a customer', movement(treasury, 'customer'), 'arriving'],
    ['a payment of the treasury to an address outside', movement(treasury, null), null],
    ['a movement out of our custody, or to the treasury', movement('w', null), 'leaving'],
    ['a movement between wallets of customers', movement('w', 'customer'), null],
  ])('is right for %s', (_what, purpose, effect) => {
    expect(effectOf(purpose, 'eth-base')).toBe(effect);
  });
});

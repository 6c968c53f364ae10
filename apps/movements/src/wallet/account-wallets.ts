import { Injectable } from '@nestjs/common';
import type { MovementReceiver, WalletRecord } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import { walletIdOf, walletRecord } from '../domain/wallet/wallet';
import { WalletReadModel } from './wallets.read-model';
import { Wallets } from './wallets.repository';

/** Wallets as movements look for them. */
@Injectable()
export class AccountWallets {
  constructor(
    private readonly wallets: Wallets,
    private readonly readModel: WalletReadModel,
  ) {}

  /** The account's wallet of this address, which is lower-case; null when the account has none. */
  async byAddress(accountId: string, chain: Chain, address: string): Promise<WalletRecord | null> {
    // The wallet of the start is nearly always the one, and is read from its stream, where it is the moment it exists.
    const main = await this.get(accountId, walletIdOf(accountId, chain));
    return main?.address === address ? main : this.readModel.byAddress(accountId, chain, address);
  }

  /** The account's wallet of this id; null when the account has none. */
  async get(accountId: string, walletId: string): Promise<WalletRecord | null> {
    const state = await this.wallets.load(walletId, ({ status }) => status === 'created');
    const record = walletRecord(state);
    return record?.accountId === accountId ? record : null;
  }

  /** The account's wallets on a chain, oldest first. */
  async onChain(accountId: string, chain: Chain): Promise<readonly WalletRecord[]> {
    return (await this.readModel.ofAccount(accountId)).filter((one) => one.chain === chain);
  }

  /** The account whose wallet with us is at this lower-case address; null when the address is outside our custody. */
  async receiverAt(chain: Chain, address: string): Promise<MovementReceiver | null> {
    const found = await this.readModel.atAddress(chain, address);
    if (!found) return null;
    const state = await this.wallets.load(found.id, ({ status }) => status === 'created');
    return state.status === 'created'
      ? { accountId: state.accountId, parentId: state.parentId, walletId: state.id }
      : null;
  }
}

import { Injectable } from '@nestjs/common';
import type { MovementReceiver, WalletRecord } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { stepContext } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import { walletIdOf, walletRecord } from './wallet.decider';
import type { ClaimAddress, WalletAddress } from './wallet-address.decider';
import { walletAddressId } from './wallet-address.decider';
import { WalletAddressStreams, Wallets } from './wallets.repository';
import { WalletReadModel } from './wallets.read-model';

/** The lookups of wallets that movements need. */
@Injectable()
export class AccountWallets {
  constructor(
    private readonly wallets: Wallets,
    private readonly addresses: WalletAddressStreams,
    private readonly list: WalletReadModel,
  ) {}

  /** The account's wallet at this lower-case address; null when the account has none there. */
  async byAddress(accountId: string, chain: Chain, address: string): Promise<WalletRecord | null> {
    // It is nearly always the main wallet.
    const main = await this.get(accountId, walletIdOf(accountId, chain));
    if (main?.address === address) return main;
    const owner = await this.receiverAt(chain, address);
    return owner?.accountId === accountId ? this.get(accountId, owner.walletId) : null;
  }

  /** The account's wallet with this id; null when the account has no such wallet. */
  async get(accountId: string, walletId: string): Promise<WalletRecord | null> {
    const state = await this.wallets.load(walletId, ({ status }) => status === 'created');
    const record = walletRecord(state);
    return record?.accountId === accountId ? record : null;
  }

  /** The account's wallets on a chain, oldest first. */
  async onChain(accountId: string, chain: Chain): Promise<readonly WalletRecord[]> {
    return (await this.list.ofAccount(accountId)).filter((one) => one.chain === chain);
  }

  /** The account whose wallet is at this lower-case address; null when the address is outside our custody. */
  async receiverAt(chain: Chain, address: string): Promise<MovementReceiver | null> {
    const claimed = ({ walletId }: WalletAddress): boolean => walletId !== null;
    const { walletId } = await this.addresses.load(walletAddressId(chain, address), claimed);
    if (walletId === null) return null;
    const state = await this.wallets.load(walletId, ({ status }) => status === 'created');
    // A refused request for the same wallet id on another chain leaves a claim there.
    return state.status === 'created' && state.chain === chain && state.address === address
      ? { accountId: state.accountId, parentId: state.parentId, walletId: state.id }
      : null;
  }

  /** The chains on which this lower-case address is a wallet of any account. */
  async chainsOf(address: string): Promise<readonly Chain[]> {
    const receivers = await Promise.all(CHAINS.map((chain) => this.receiverAt(chain, address)));
    return CHAINS.filter((_, at) => receivers[at] !== null);
  }

  /** Must be called before the wallet is created. */
  async claimAddress(claim: ClaimAddress, context: RequestContext): Promise<void> {
    await this.addresses.createIfAbsent(
      walletAddressId(claim.chain, claim.address),
      claim,
      stepContext(context, 'claim-wallet-address', claim.walletId),
    );
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { AmountOf, WalletRecord } from '@ponte/contracts';
import { withTimeout } from '@ponte/concurrency';
import { Money, toOnChain } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { AccountWallets } from './account-wallets';

/** How long a request waits for the chain. Well below the deadline of the request that asks. */
const CHAIN_MS = 2_000;

/**
 * Whether a wallet can pay an amount. The ledger knows the balance of an account, but not that of each wallet. For an
 * account with several wallets on a chain, the chain is read, so that a request that cannot succeed is refused at once.
 * If the chain does not answer, it decides when the tokens are moved.
 */
@Injectable()
export class WalletFunds {
  constructor(
    private readonly wallets: AccountWallets,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
  ) {}

  /** True if the wallet is known to hold less than the amount. */
  async lacks(wallet: WalletRecord, tokens: AmountOf): Promise<boolean> {
    return (await this.othersOf(wallet)).length > 0 && (await this.holds(wallet, tokens)) === false;
  }

  /**
   * The wallet that pays when none is named: `main`, or, if that is known to hold too little, the oldest other wallet
   * of the account on the chain that holds the whole amount. Null if all of them are known to hold too little.
   */
  async payer(main: WalletRecord, tokens: AmountOf): Promise<WalletRecord | null> {
    const others = await this.othersOf(main);
    if (others.length === 0) return main;
    const wallets = [main, ...others];
    const held = await Promise.all(wallets.map((wallet) => this.holds(wallet, tokens)));
    if (held[0] !== false) return main;
    return wallets[held.indexOf(true)] ?? (held.includes(undefined) ? main : null);
  }

  private async othersOf({ id, accountId, chain }: WalletRecord): Promise<readonly WalletRecord[]> {
    return (await this.wallets.onChain(accountId, chain)).filter((one) => one.id !== id);
  }

  /** Undefined if the chain does not answer in time. */
  private async holds({ chain, address }: WalletRecord, { asset, amount }: AmountOf): Promise<boolean | undefined> {
    const { evm } = this.chains.of(chain);
    const held = await withTimeout(CHAIN_MS, evm.tokenBalance(asset, address as Hex)).catch(() => undefined);
    return held === undefined ? undefined : held >= toOnChain(Money.parse(asset, amount));
  }
}

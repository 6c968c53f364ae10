import { Inject, Injectable } from '@nestjs/common';
import type { AmountOf, Hold, SourceFunds, WalletRecord } from '@ponte/contracts';
import { withTimeout } from '@ponte/concurrency';
import type { RequestContext } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money, fromOnChain } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { AccountWallets } from '../wallet/account-wallets';
import { PromisedTokens, movementIdOf } from './promised-tokens';
import { leftIn } from './left-in-wallets.domain';

/** How long a request waits for the chain. Well below the deadline of the request that asks. */
const CHAIN_MS = 2_000;

/** Tokens that a wallet is to pay. */
export interface Payment extends AmountOf {
  /** The movement that takes them. Its own hold, which an earlier attempt may have placed, does not count. */
  readonly movementId: string | undefined;
}

/** The wallet that pays; null if each that could is known to hold too little. */
export interface Payer {
  readonly wallet: WalletRecord | null;
  /** Absent if they are not known, or not needed because the account has no other wallet on the chain. */
  readonly funds?: SourceFunds;
}

/** What is known about the wallets of an account, in the same order. */
interface Known {
  readonly wallets: readonly WalletRecord[];
  /** Balances less promised tokens, minor units. Undefined where the chain does not answer in time. */
  readonly left: readonly (bigint | undefined)[];
  /** The account's open holds of the asset. Undefined if they are not known. */
  readonly holds: readonly Hold[] | undefined;
  /** Whether the tokens of all holds are taken off the balances. */
  readonly isComplete: boolean;
}

/**
 * Whether a wallet can pay an amount. The ledger knows the balance of an account, but not that of each wallet. For an
 * account with several wallets on a chain, the chain is read, so that a request that cannot succeed is refused at once.
 * What earlier orders, transfers and withdrawals will take does not count. If the chain or the ledger does not answer,
 * the chain decides when the tokens are moved.
 */
@Injectable()
export class WalletFunds {
  constructor(
    private readonly wallets: AccountWallets,
    private readonly promises: PromisedTokens,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
  ) {}

  /** This wallet, unless it is known to hold less than the amount. */
  async ifItCan(wallet: WalletRecord, payment: Payment, context: RequestContext): Promise<Payer> {
    const known = await this.known(wallet, payment, context);
    if (known === null) return { wallet };
    const at = known.wallets.findIndex(({ id }) => id === wallet.id);
    return canPay(known, at, payment) === false ? { wallet: null } : payer(known, at, payment.asset);
  }

  /**
   * The wallet that pays when none is named: `main`, or, if that is known to hold too little, the oldest other wallet
   * of the account on the chain that holds the whole amount. A repeated request gets the wallet of its own hold.
   */
  async anyOf(main: WalletRecord, payment: Payment, context: RequestContext): Promise<Payer> {
    const known = await this.known(main, payment, context);
    if (known === null) return { wallet: main };
    const own = known.holds?.find((hold) => movementIdOf(hold) === payment.movementId)?.source?.walletId;
    const indexOf = (walletId: string | undefined) => known.wallets.findIndex(({ id }) => id === walletId);
    const first = indexOf(own) === -1 ? indexOf(main.id) : indexOf(own);
    const can = known.wallets.map((_, at) => canPay(known, at, payment));
    if (can[first] !== false) return payer(known, first, payment.asset);
    if (can.includes(true)) return payer(known, can.indexOf(true), payment.asset);
    return can.includes(undefined) ? payer(known, first, payment.asset) : { wallet: null };
  }

  /**
   * Null if the account has no other wallet on the chain. Then the ledger knows what this one can pay. The list of
   * wallets may be behind and lack this one.
   */
  private async known(wallet: WalletRecord, { asset, movementId }: Payment, context: RequestContext) {
    const { id, accountId, chain } = wallet;
    const listed = await this.wallets.onChain(accountId, chain);
    if (listed.every((one) => one.id === id)) return null;
    const wallets = listed.some((one) => one.id === id) ? listed : [wallet, ...listed];
    // The order matters: a hold that ends in between is over after the balances were read, and does not count.
    const holds = await this.promises.holds(accountId, asset, context);
    const balances = await Promise.all(wallets.map((one) => this.balance(one, asset)));
    const others = holds?.filter((hold) => movementIdOf(hold) !== movementId) ?? [];
    const still = await withTimeout(CHAIN_MS, this.promises.stillIn(chain, others)).catch(() => undefined);
    const left = leftIn(
      wallets.map((one, at) => ({ walletId: one.id, balance: balances[at] })),
      still ?? [],
    );
    return { wallets, left, holds, isComplete: still !== undefined } satisfies Known;
  }

  /** Minor units. Undefined if the chain does not answer in time. */
  private async balance({ chain, address }: WalletRecord, asset: AssetId): Promise<bigint | undefined> {
    const { evm } = this.chains.of(chain);
    const units = await withTimeout(CHAIN_MS, evm.tokenBalance(asset, address as Hex)).catch(() => undefined);
    return units === undefined ? undefined : fromOnChain(asset, units).minor;
  }
}

/** Undefined if it is not known. */
function canPay({ left }: Known, at: number, { asset, amount }: AmountOf): boolean | undefined {
  const own = left[at];
  return own === undefined ? undefined : own >= Money.parse(asset, amount).minor;
}

function payer({ wallets, left, holds, isComplete }: Known, at: number, asset: AssetId): Payer {
  const [wallet = null, own] = [wallets[at], left[at]];
  if (own === undefined || holds === undefined || !isComplete) return { wallet };
  const held = holds
    .filter(({ source }) => source !== undefined && source.walletId === wallet?.id)
    .reduce((sum, { amount }) => sum + Money.stored(asset, amount).minor, 0n);
  const text = (minor: bigint) => Money.of(asset, minor > 0n ? minor : 0n).toString();
  return { wallet, funds: { available: text(own), held: text(held) } };
}

import { Inject, Injectable } from '@nestjs/common';
import type { AmountOf, Hold, SourceFunds, WalletRecord } from '@ponte/contracts';
import { MAX_CHECKED_HOLDS } from '@ponte/contracts';
import { withTimeout } from '@ponte/concurrency';
import type { RequestContext } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import { Money, fromOnChain } from '@ponte/kernel';
import type { BlockId, Hex } from '../chain/block.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { chainOfToken } from '../token-movement/chain-values.domain';
import { AccountWallets } from '../wallet/account-wallets.service';
import type { Promised } from './left-in-wallets.domain';
import { PromisedTokens, movementIdOf, promisedBySource } from './promised-tokens.service';
import type { OtherPromises } from './payers.domain';
import { leftTo, orderOfPayers } from './payers.domain';

/** How long a request waits for the chain. Well below the deadline of the request. */
const CHAIN_MS = 2_000;

/** Tokens that a wallet is to pay. */
interface Payment extends AmountOf {
  /**
   * The movement that takes them. Its own hold, which an earlier attempt may have placed, does not count, and
   * withdrawals that are not sent leave its tokens.
   */
  readonly movementId: string | undefined;
  /** The account's open holds of the asset; null if they are too many. Absent: the ledger is asked. */
  readonly holds?: readonly Hold[] | null;
}

/** The wallet that pays; null if each that could is known to hold too little. */
interface Payer {
  readonly wallet: WalletRecord | null;
  /** Absent if they are not known, or not needed because the account has no other wallet on the chain. */
  readonly funds?: SourceFunds;
}

/** The wallets of an account that pay together. */
interface Payers {
  /** In the order in which their tokens are taken. */
  readonly wallets: readonly WalletRecord[];
  /** Whether they are known to hold too little beyond what is promised. */
  readonly lackTokens: boolean;
}

/** What is known about the wallets of an account, in the same order. */
interface WalletsWithFunds {
  readonly wallets: readonly WalletRecord[];
  /** On the chain, minor units. Undefined where the chain does not answer in time. */
  readonly balances: readonly (bigint | undefined)[];
  /** Balances less promised tokens, minor units. Undefined where the chain does not answer in time. */
  readonly left: readonly (bigint | undefined)[];
  /** What other movements will take, as far as it is known. */
  readonly others: OtherPromises;
  /** The account's open holds of the asset. Undefined if they are not known. */
  readonly holds: readonly Hold[] | undefined;
  /** Whether the tokens of all holds are subtracted from the balances. */
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
  async checkPayer(wallet: WalletRecord, payment: Payment, context: RequestContext): Promise<Payer> {
    const funded = await this.readWallets(wallet, payment, context);
    if (funded === null) return { wallet };
    const at = funded.wallets.findIndex(({ id }) => id === wallet.id);
    return canPay(funded, at, payment) === false ? { wallet: null } : payerOf(funded, at, payment.asset);
  }

  /**
   * The wallet that pays when none is named: `main`, or, if that is known to hold too little, the oldest other wallet
   * of the account on the chain that holds the whole amount. A repeated request gets the wallet of its own hold.
   */
  async choosePayer(main: WalletRecord, payment: Payment, context: RequestContext): Promise<Payer> {
    const funded = await this.readWallets(main, payment, context);
    if (funded === null) return { wallet: main };
    const reservedWalletId = funded.holds?.find((hold) => movementIdOf(hold) === payment.movementId)?.source?.walletId;
    const indexOf = (walletId: string | undefined) => funded.wallets.findIndex(({ id }) => id === walletId);
    const preferred = indexOf(reservedWalletId) === -1 ? indexOf(main.id) : indexOf(reservedWalletId);
    const canPayEach = funded.wallets.map((_, at) => canPay(funded, at, payment));
    if (canPayEach[preferred] !== false) return payerOf(funded, preferred, payment.asset);
    if (canPayEach.includes(true)) return payerOf(funded, canPayEach.indexOf(true), payment.asset);
    return canPayEach.includes(undefined) ? payerOf(funded, preferred, payment.asset) : { wallet: null };
  }

  /**
   * All wallets of an account on the chain of the asset, oldest first, or in an order in which what other movements
   * take is left to them, without empty ones that are not needed.
   */
  async orderPayers(accountId: string, payment: Payment, context: RequestContext): Promise<Payers> {
    const { asset, amount } = payment;
    const wallets = await this.wallets.onChain(accountId, chainOfToken(asset));
    if (wallets.length <= 1) return { wallets, lackTokens: false };
    const { balances, others, isComplete } = await this.readFunds(wallets, payment, context);
    if (!isComplete || balances.includes(undefined)) return { wallets, lackTokens: false };
    const known = wallets.map(({ id: walletId }, at) => ({ walletId, balance: balances[at] ?? 0n }));
    const { walletIds, lackTokens } = orderOfPayers(known, others, Money.parse(asset, amount).minor);
    return { wallets: walletIds.flatMap((walletId) => wallets.filter(({ id }) => id === walletId)), lackTokens };
  }

  /**
   * Null if the account has no other wallet on the chain. Then the ledger knows what this one can pay. The list of
   * wallets may be behind and lack this one.
   */
  private async readWallets(wallet: WalletRecord, payment: Payment, context: RequestContext) {
    const { id, accountId, chain } = wallet;
    const listed = await this.wallets.onChain(accountId, chain);
    if (listed.every((one) => one.id === id)) return null;
    const wallets = listed.some((one) => one.id === id) ? listed : [wallet, ...listed];
    return this.readFunds(wallets, payment, context);
  }

  private async readFunds(
    wallets: readonly WalletRecord[],
    payment: Payment,
    context: RequestContext,
  ): Promise<WalletsWithFunds> {
    const [{ accountId, chain }] = wallets as [WalletRecord];
    const { asset, holds: listed } = payment;
    // The order matters: a hold that ends in between is over at the block of the balances, and does not count.
    const holds = listed === undefined ? await this.promises.holds(accountId, asset, context) : (listed ?? undefined);
    const found = await this.balances(wallets, asset);
    const known = found && (await this.knownPromises(chain, found.block, holds, payment));
    const balances = found?.balances ?? wallets.map(() => undefined);
    const { own, others } = known ?? { own: null, others: { earlier: [], later: [] } };
    const walletBalances = wallets.map((one, at) => ({ walletId: one.id, balance: balances[at] }));
    const left = leftTo(own, walletBalances, others);
    return { wallets, balances, left, others, holds, isComplete: known !== undefined };
  }

  /** Undefined if it is not known, or if the holds are too many to be checked. */
  private async knownPromises(
    chain: Chain,
    block: BlockId,
    holds: readonly Hold[] | undefined,
    { asset, amount, movementId }: Payment,
  ): Promise<{ readonly own: Promised | null; readonly others: OtherPromises } | undefined> {
    if (holds === undefined || holds.length > MAX_CHECKED_HOLDS) return undefined;
    const isOwn = (hold: Hold): boolean => movementIdOf(hold) === movementId;
    // A hold of less than the amount belongs to a different request under the same key, so this one is checked as a new
    // one.
    const isEnough = (hold: Hold): boolean =>
      Money.stored(asset, hold.amount).minor >= Money.parse(asset, amount).minor;
    const ownAt = holds.findIndex((hold) => isOwn(hold) && isEnough(hold));
    const pending = await this.promises
      .pendingPromises(
        chain,
        block,
        holds.filter((hold) => !isOwn(hold)),
      )
      .catch(() => undefined);
    if (pending === undefined) return undefined;
    const [before, after] = ownAt === -1 ? [holds, []] : [holds.slice(0, ownAt), holds.slice(ownAt + 1)];
    const [earlier = [], later = []] = [before, after].map((some) => some.flatMap((one) => pending.get(one) ?? []));
    return { own: promisedBySource(holds[ownAt]), others: { earlier, later } };
  }

  /** Minor units, at one block. Undefined if the chain does not answer in time. */
  private balances(wallets: readonly WalletRecord[], asset: AssetId) {
    const { evm } = this.chains.of(chainOfToken(asset));
    const read = async () => {
      const block = await evm.headBlock();
      const addresses = wallets.map(({ address }) => address as Hex);
      const { balances } = await evm.tokensAt(block, asset, addresses);
      return { block, balances: balances.map((units) => fromOnChain(asset, units).minor) };
    };
    return withTimeout(CHAIN_MS, read()).catch(() => undefined);
  }
}

/** Undefined if it is not known. */
function canPay({ left }: WalletsWithFunds, at: number, { asset, amount }: AmountOf): boolean | undefined {
  const available = left[at];
  return available === undefined ? undefined : available >= Money.parse(asset, amount).minor;
}

function payerOf({ wallets, left, holds, isComplete }: WalletsWithFunds, at: number, asset: AssetId): Payer {
  const [wallet = null, available] = [wallets[at], left[at]];
  if (available === undefined || holds === undefined || !isComplete) return { wallet };
  const text = (minor: bigint) => Money.of(asset, minor > 0n ? minor : 0n).toString();
  const sumOf = (counted: readonly Hold[]) =>
    text(counted.reduce((sum, { amount }) => sum + Money.stored(asset, amount).minor, 0n));
  const held = sumOf(holds.filter(({ source }) => source !== undefined && source.walletId === wallet?.id));
  const withdrawals = sumOf(holds.filter(({ source, owner }) => !source && owner.kind === 'withdrawal'));
  return { wallet, funds: { available: text(available), held, withdrawals } };
}

import { Inject, Injectable } from '@nestjs/common';
import type { AmountOf, TrialBalanceLine } from '@ponte/contracts';
import { GetTrialBalance, GetUncreditedTokens } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { ASSET_IDS, Money, Unavailable, assetOf, fromOnChain } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import type { ServedChain } from '../chain/served-chains.port';
import { WalletReadModel } from '../wallet/wallets.read-model';
import type { AssetReconciliation, BookedAsset } from './reconciliation.domain';
import { reconcile } from './reconciliation.domain';
import type { TokensOnChain } from './tokens-on-chain';
import { tokensOnChain } from './tokens-on-chain';
import type { MovementEffect } from './movement-effect.domain';
import type { UnderWay } from './transactions-under-way.service';
import { TransactionsUnderWay } from './transactions-under-way.service';

/** `uncredited`: deposits whose block may still be replaced. */
type Books = (asset: AssetId) => BookedAsset & { readonly uncredited: Money };

/** One chain at one block, and what was booked and under way before it was read. */
export interface ChainReading {
  readonly before: Books;
  readonly earlier: ReadonlyMap<string, UnderWay>;
  readonly onChain: TokensOnChain;
}

/** What was booked and under way after a chain was read. */
interface LaterBooks {
  readonly underWay: ReadonlyMap<string, UnderWay>;
  readonly books: Books;
}

/** How many blocks are tried in one reading of a chain. */
const MAX_BLOCKS = 3;
/**
 * Tokens that the books issue and redeem. BRLY is held by the vault behind the shares, and is compared with the BRL
 * that backs it.
 */
const ISSUED = new Set(['BRLV', 'wBRLY', 'BRLY']);
const BRL: AssetId = 'fiat/brl';
const IN_WALLETS = ['loss', 'clearing', 'suspense', 'unclaimed'] as const;
const BRLV: readonly AssetId[] = ASSET_IDS.filter((asset) => assetOf(asset).symbol === 'BRLV');

/** Compares the ledger with the token supply and the balances of all wallets, for each asset. */
@Injectable()
export class Reconciler {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    private readonly wallets: WalletReadModel,
    private readonly unfinished: TransactionsUnderWay,
  ) {}

  /**
   * Reads a chain, and the books before. Starts again with a new block when the nodes no longer have the state of the
   * old one: balances at two blocks cannot be added, because tokens may have moved in between. Rejects with
   * `Unavailable` when the ledger or a node does not answer.
   */
  async read(served: ServedChain, context: RequestContext): Promise<ChainReading> {
    for (let blocks = 1; ; blocks += 1) {
      const before = await this.books(context);
      const earlier = await this.unfinished.of(served, context);
      const head = await served.evm.headBlock();
      try {
        return { before, earlier, onChain: await tokensOnChain(served, head, this.wallets) };
      } catch (error) {
        if (!(error instanceof Unavailable) || blocks === MAX_BLOCKS) throw error;
      }
    }
  }

  /**
   * Compares each of the readings of a chain with the current books, for every token. It may be repeated: meanwhile,
   * the ledger may have booked more of what the chain already had. Rejects with `Unavailable` as {@link read} does.
   */
  async compare(
    served: ServedChain,
    readings: readonly ChainReading[],
    context: RequestContext,
  ): Promise<AssetReconciliation[]> {
    const underWay = await this.unfinished.of(served, context);
    const books = await this.books(context);
    return readings.flatMap((reading) => ofReading(reading, { underWay, books }));
  }

  /** One that is credited in between counts twice here and once in the other books, which only widens the range. */
  private async books(context: RequestContext): Promise<Books> {
    const { amounts, refused, final = [] } = await this.bus.request(GetUncreditedTokens, {}, context);
    const { lines, customers } = await this.bus.request(GetTrialBalance, { customers: false }, context);
    const house = (name: string, asset: AssetId): Money =>
      sumOf(
        lines.filter(({ account }: TrialBalanceLine) => account === `house:${name}`),
        asset,
      );
    return (asset) => ({
      issued: assetOf(asset).symbol === 'BRLY' ? backingOf(asset, house) : house('issuance', asset).negate(),
      // Losses by a reorg are in the balances of customers but in no wallet, or the other way round. Tokens in clearing
      // (sent between accounts), in suspense and unclaimed (of closed accounts) are in a Ponte wallet.
      held: IN_WALLETS.reduce((sum, name) => sum.plus(house(name, asset)), sumOf(customers, asset)),
      kept: sumOf([...final, ...refused], asset),
      uncredited: sumOf(amounts, asset).minus(sumOf(final, asset)),
    });
  }
}

/** Reconciles every token of a chain. */
function ofReading({ before, earlier, onChain }: ChainReading, later: LaterBooks): AssetReconciliation[] {
  const unfinished = [...new Map([...earlier, ...later.underWay]).values()];
  return [...onChain].map(([asset, { supply, wallets }]) => {
    const after = later.books(asset);
    const sum = (summed: MovementEffect): Money =>
      unfinished
        .filter(({ effect, money }) => money.asset === asset && effect === summed)
        .reduce((total, { money }) => total.plus(money), Money.zero(asset));
    const issued = ISSUED.has(assetOf(asset).symbol);
    return reconcile({
      asset,
      before: before(asset),
      after,
      chain: { supply: issued ? fromOnChain(asset, supply) : null, wallets: fromOnChain(asset, wallets) },
      underWay: {
        minted: sum('minted'),
        burned: sum('burned'),
        arriving: sum('arriving'),
        leaving: sum('leaving'),
      },
      uncredited: after.uncredited,
    });
  });
}

/**
 * The BRL of the reserve that does not back BRLV, in BRLY. BRLV that a reorg removed is owed to its owners, and BRLV
 * that it restored was paid for (`house:loss`, `house:owed`), so the reserve backs the balances and not the supply.
 */
function backingOf(asset: AssetId, house: (name: string, asset: AssetId) => Money): Money {
  const scale = BigInt(assetOf(asset).scale);
  const issued = BRLV.map((one) => {
    const claims = house('issuance', one).plus(house('loss', one)).plus(house('owed', one)).negate();
    return claims.minor * 10n ** (scale - BigInt(assetOf(one).scale));
  });
  const reserve = house('reserve', BRL).minor * 10n ** (scale - 2n);
  return Money.of(
    asset,
    issued.reduce((left, minor) => left - minor, reserve),
  );
}

const sumOf = (amounts: readonly AmountOf[], asset: AssetId): Money =>
  amounts
    .filter((one) => one.asset === asset)
    .reduce((sum, one) => sum.plus(Money.stored(asset, one.amount)), Money.zero(asset));

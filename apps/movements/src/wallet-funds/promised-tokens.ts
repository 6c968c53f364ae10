import { Inject, Injectable } from '@nestjs/common';
import { withTimeout } from '@ponte/concurrency';
import type { Hold } from '@ponte/contracts';
import { ListAccountHolds, MOST_CHECKED_HOLDS } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { ChainTransaction } from '../transactions/chain-transaction.state';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions';

/** How long a request waits for the ledger. It nearly always has the account in memory. */
const LEDGER_MS = 2_000;

/** The kinds of transactions that take tokens from an account's wallets for a hold. */
const KINDS = ['token-movement', 'redemption'] as const;

/** Tokens that a movement will take. */
export interface Promised {
  /** Minor units. */
  readonly amount: bigint;
  /**
   * The wallets that it takes them from, in this order. Null for all wallets of the account, in an order that is not
   * decided yet.
   */
  readonly walletIds: readonly string[] | null;
  /** Whether it takes all of them from one wallet. */
  readonly fixed: boolean;
}

/** The movement that takes the tokens of a hold. A withdrawal, which any wallets may pay, is one itself. */
export const movementIdOf = ({ source, owner }: Hold): string | null =>
  source?.movementId ?? (owner.kind === 'withdrawal' ? owner.id : null);

/**
 * The tokens that the orders, transfers and withdrawals of an account will take from its wallets. Each of them has a
 * hold in the ledger from its acceptance until its end, however it ends.
 */
@Injectable()
export class PromisedTokens {
  constructor(
    private readonly transactions: ChainTransactions,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /** Undefined if the ledger does not answer. */
  async holds(accountId: string, asset: AssetId, context: RequestContext): Promise<readonly Hold[] | undefined> {
    const listed = this.bus.request(ListAccountHolds, { accountId, asset }, context);
    const answer = await withTimeout(LEDGER_MS, listed).catch(() => undefined);
    return answer?.holds;
  }

  /**
   * What the movements of the holds still take from the wallets. To be called after the balances were read: what is not
   * in a block then was not in one before, so its tokens are in the balances. Undefined if the holds are too many.
   */
  async pendingPromises(chain: Chain, holds: readonly Hold[]): Promise<readonly Promised[] | undefined> {
    if (holds.length > MOST_CHECKED_HOLDS) return undefined;
    const { evm } = this.chains.of(chain);
    const minedCounts = new Map<string, Promise<number>>();
    const isMined = async (from: string, nonce: number): Promise<boolean> => {
      const count = minedCounts.get(from) ?? evm.nextNonce(from as Hex, 'latest');
      minedCounts.set(from, count);
      return nonce < (await count);
    };
    const promises = await Promise.all(
      holds.map(async (hold) => {
        const movementId = movementIdOf(hold);
        if (movementId === null) return [];
        const state = await this.transactionOf(movementId);
        return (await hasMoved(state, isMined)) ? [] : [promised(hold, state)];
      }),
    );
    return promises.flat();
  }

  /** The hold does not say of which kind the transaction is. */
  private async transactionOf(id: string): Promise<ChainTransaction> {
    const states = await Promise.all(
      KINDS.map((kind) => this.transactions.load(transactionIdOf({ kind, id }), ({ status }) => ENDED.has(status))),
    );
    return states.find((state) => state.status !== 'absent' || state.refused !== undefined) ?? { status: 'absent' };
  }
}

const ENDED: ReadonlySet<ChainTransaction['status']> = new Set(['given-up', 'reverted', 'superseded', 'lost']);

/** Whether the tokens have left the wallets, or never will. */
async function hasMoved(
  state: ChainTransaction,
  isMined: (from: string, nonce: number) => Promise<boolean>,
): Promise<boolean> {
  switch (state.status) {
    case 'absent':
      return state.refused !== undefined;
    case 'intended':
      return false;
    case 'signed':
    case 'reorged':
      return isMined(state.intent.from, state.signed.nonce);
    default:
      return true;
  }
}

function promised({ asset, amount, source }: Hold, state: ChainTransaction): Promised {
  const { minor } = Money.stored(asset, amount);
  if (source) return { amount: minor, walletIds: [source.walletId], fixed: true };
  const purpose = state.status === 'absent' ? null : state.intent.purpose;
  return { amount: minor, walletIds: purpose?.kind === 'token-movement' ? purpose.walletIds : null, fixed: false };
}

import { Inject, Injectable } from '@nestjs/common';
import { each, withTimeout } from '@ponte/concurrency';
import type { Hold, HoldOwner } from '@ponte/contracts';
import { ListAccountHolds } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import type { BlockId, Hex } from '../chain/block.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { ChainTransaction } from '../transactions/chain-transaction.state';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import type { Promised } from './left-in-wallets.domain';

/** How long a request waits for the ledger. It nearly always has the account in memory. */
const LEDGER_MS = 2_000;

/** How long a request waits for the transactions of the holds. */
const PROMISES_MS = 2_000;

/** The kinds of transactions that take tokens from an account's wallets for a hold, by the owner of the hold. */
const KINDS: Readonly<Record<HoldOwner['kind'], readonly ('token-movement' | 'redemption')[]>> = {
  order: ['token-movement', 'redemption'],
  transfer: ['token-movement'],
  withdrawal: ['token-movement'],
};

/** The movement that takes the tokens of a hold. For a withdrawal, which any wallets may pay, the withdrawal itself. */
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
   * What the movements of the holds still take from the wallets; nothing for a hold that has none. `block` is the one
   * at which the balances were read, so that each movement is either in the balances or in these promises. Rejects if
   * the store or the chain does not answer in time.
   */
  async pendingPromises(chain: Chain, block: BlockId, holds: readonly Hold[]): Promise<ReadonlyMap<Hold, Promised>> {
    const { evm } = this.chains.of(chain);
    const minedCounts = new Map<string, Promise<number>>();
    const isMined = async (from: string, nonce: number): Promise<boolean> => {
      const count = minedCounts.get(from) ?? evm.minedCount(from as Hex, block);
      minedCounts.set(from, count);
      return nonce < (await count);
    };
    const pending = new Map<Hold, Promised>();
    let isOver = false;
    const reading = each(holds, async (hold) => {
      if (isOver) return;
      try {
        const state = await this.transactionOf(hold);
        if (state && !(await hasMoved(state, block, isMined))) pending.set(hold, promised(hold, state));
      } catch (error) {
        isOver = true;
        throw error;
      }
    });
    await withTimeout(PROMISES_MS, reading).finally(() => (isOver = true));
    return pending;
  }

  /** Null if the hold does not say which movement takes its tokens. */
  private async transactionOf(hold: Hold): Promise<ChainTransaction | null> {
    const id = movementIdOf(hold);
    if (id === null) return null;
    const states = await Promise.all(
      KINDS[hold.owner.kind].map((kind) =>
        this.transactions.load(transactionIdOf({ kind, id }), ({ status }) => ENDED.has(status)),
      ),
    );
    return states.find((state) => state.status !== 'absent' || state.refused !== undefined) ?? { status: 'absent' };
  }
}

const ENDED: ReadonlySet<ChainTransaction['status']> = new Set(['given-up', 'reverted', 'superseded', 'lost']);

/** Whether the tokens have left the wallets at the block, or never will. */
async function hasMoved(
  state: ChainTransaction,
  block: BlockId,
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
    case 'confirmed':
      return Number(state.place.blockNumber) <= block.number;
    default:
      return true;
  }
}

/** What one wallet will pay for the hold. Null if any wallets may pay, or without a hold. */
export const promisedBySource = (hold: Hold | undefined): Promised | null =>
  hold?.source
    ? { amount: Money.stored(hold.asset, hold.amount).minor, walletIds: [hold.source.walletId], fixed: true }
    : null;

function promised(hold: Hold, state: ChainTransaction): Promised {
  const bySource = promisedBySource(hold);
  if (bySource) return bySource;
  const { minor } = Money.stored(hold.asset, hold.amount);
  const purpose = state.status === 'absent' ? null : state.intent.purpose;
  return { amount: minor, walletIds: purpose?.kind === 'token-movement' ? purpose.walletIds : null, fixed: false };
}

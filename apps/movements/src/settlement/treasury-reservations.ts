import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TreasuryReservation } from '@ponte/contracts';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import type { AssetId, Clock } from '@ponte/kernel';
import { Unavailable, derivedId } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { sentIn } from '../transactions/chain-transaction.state';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';
import type { EvmChain, Hex } from '../chain/chain.port';
import { ChainTransactions } from '../transactions/chain-transactions';
import type { TreasuryCommand } from './treasury.decider';
import { treasury, treasuryId } from './treasury.decider';

/** The part of a chain that reservations use. */
export type TreasuryChain = Pick<EvmChain, 'chain' | 'walletAddress' | 'tokenBalance' | 'nextNonce'>;

/** Other processes release reservations at most a few times a second. */
const MOST_ATTEMPTS = 5;

/**
 * Reserves tokens of the treasury wallets, safely with any number of processes ([ADR
 * 120](../../../../docs/adr/0120-an-order-has-one-settlement-and-one-delivery.md)).
 */
@Injectable()
export class TreasuryReservations {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly transactions: ChainTransactions,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Reserves what fits, in this order, and returns the ids of all requests that are reserved now. Earlier reservations
   * remain. Rejects with `Unavailable` when the node or the store does not answer.
   */
  async reserve(
    evm: TreasuryChain,
    asset: AssetId,
    requests: readonly TreasuryReservation[],
  ): Promise<ReadonlySet<string>> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      let releases = -1;
      const outcome = await this.carryOut(asset, async () => {
        // The order matters: a payment that is over at the first read is no longer in the balance that is read last.
        const { state } = await this.aggregates.load(treasury, treasuryId(asset));
        const over = await this.endedReservations(
          evm,
          state.reserved,
          new Set(requests.map(({ transactionId }) => transactionId)),
        );
        const balance = await evm.tokenBalance(asset, evm.walletAddress(saltOf(treasuryWalletId(evm.chain))));
        releases = state.releases;
        return { kind: 'reserve', chain: evm.chain, asset, requests, over, balance, releases };
      });
      const own = outcome.events.filter(({ type }) => type === 'TreasuryReservationsReleased').length;
      if (outcome.state.releases === releases + own) {
        const { reserved } = outcome.state;
        return new Set(requests.flatMap(({ transactionId }) => (reserved.has(transactionId) ? [transactionId] : [])));
      }
    }
    throw new Unavailable('service-unavailable');
  }

  /** Reserves the amount of signed bytes again that a reorg removed and that may be mined again at any time. */
  async restore(
    evm: TreasuryChain,
    asset: AssetId,
    payment: TreasuryReservation,
    { from, nonce }: { readonly from: Hex; readonly nonce: number },
  ): Promise<void> {
    if ((await evm.nextNonce(from, 'latest')) > nonce) return;
    await this.carryOut(asset, { kind: 'restore', chain: evm.chain, asset, payment });
  }

  private carryOut(asset: AssetId, command: TreasuryCommand | (() => Promise<TreasuryCommand>)) {
    const commandId = derivedId('treasury', asset, randomUUID());
    const context = commandContext({ commandId, correlationId: commandId, actor: 'sender' }, this.clock);
    return this.aggregates.handle(treasury, treasuryId(asset), command, context);
  }

  /**
   * Reservations whose payment is confirmed and in a block, or has ended, except the requested ones. Until it is
   * confirmed, an ordinary reorg may return its tokens, and its bytes may be mined again at any time.
   */
  private async endedReservations(
    evm: TreasuryChain,
    reserved: ReadonlyMap<string, bigint>,
    requested: ReadonlySet<string>,
  ): Promise<string[]> {
    const minedCounts = new Map<string, Promise<number>>();
    const minedCountOf = (sender: string): Promise<number> => {
      const known = minedCounts.get(sender) ?? evm.nextNonce(sender as Hex, 'latest');
      minedCounts.set(sender, known);
      return known;
    };
    const endedIds = await Promise.all(
      [...reserved.keys()].map(async (transactionId) => {
        if (requested.has(transactionId)) return [];
        const state = await this.transactions.load(transactionId);
        if (state.status === 'absent' || state.status === 'intended') return [];
        const sent = sentIn(state);
        const isOver =
          sent === null || (state.status === 'confirmed' && sent.signed.nonce < (await minedCountOf(sent.intent.from)));
        return isOver ? [transactionId] : [];
      }),
    );
    return endedIds.flat();
  }
}

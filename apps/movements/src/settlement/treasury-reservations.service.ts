import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TreasuryReservation } from '@ponte/contracts';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import type { AssetId, Clock } from '@ponte/kernel';
import { Unavailable, derivedId } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { sentIn } from '../transactions/chain-transaction.state';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';
import type { BlockId, EvmChain, Hex } from '../chain/chain.port';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import type { TreasuryCommand } from './treasury.decider';
import { treasury, treasuryId } from './treasury.decider';

/** The part of a chain that reservations use. */
export type TreasuryChain = Pick<EvmChain, 'chain' | 'walletAddress' | 'headBlock' | 'tokensAt' | 'minedCount'>;

/** A signed payment, with the address and nonce of its sender. */
export interface SentPayment extends TreasuryReservation {
  readonly from: string;
  readonly nonce: number;
}

/** What the treasury has for new payments. */
type Funds = Pick<Extract<TreasuryCommand, { kind: 'reserve' }>, 'over' | 'spent' | 'balance'>;

/** Other processes release reservations at most a few times a second, and reorgs are rare. */
const MAX_ATTEMPTS = 5;

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
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      let releases = -1;
      const outcome = await this.execute(asset, async () => {
        const { state } = await this.aggregates.load(treasury, treasuryId(asset));
        const requested = new Set(requests.map(({ transactionId }) => transactionId));
        const funds = await this.fundsNow(evm, asset, state.reserved, requested);
        releases = state.releases;
        return { kind: 'reserve', chain: evm.chain, asset, requests, ...funds, releases };
      });
      const own = outcome.events.filter(({ type }) => type === 'TreasuryReservationsReleased').length;
      if (outcome.state.releases === releases + own) {
        const { reserved } = outcome.state;
        return new Set(requests.flatMap(({ transactionId }) => (reserved.has(transactionId) ? [transactionId] : [])));
      }
    }
    throw new Unavailable('service-unavailable');
  }

  /**
   * Reserves signed payments again that have no reservation and are in no block: a reorg removed them, and they may be
   * mined again at any time. A payment that is still reserved costs no request to the node.
   */
  async restore(evm: TreasuryChain, asset: AssetId, sent: readonly SentPayment[]): Promise<void> {
    const { reserved } = (await this.aggregates.load(treasury, treasuryId(asset))).state;
    const unreserved = sent.filter(({ transactionId }) => !reserved.has(transactionId));
    if (unreserved.length === 0) return;
    const counts = new MinedCounts(evm, await evm.headBlock());
    const payments: TreasuryReservation[] = [];
    for (const { from, nonce, ...payment } of unreserved) if ((await counts.of(from)) <= nonce) payments.push(payment);
    if (payments.length > 0) await this.execute(asset, { kind: 'restore', chain: evm.chain, asset, payments });
  }

  private execute(asset: AssetId, command: TreasuryCommand | (() => Promise<TreasuryCommand>)) {
    const commandId = derivedId('treasury', asset, randomUUID());
    const context = commandContext({ commandId, correlationId: commandId, actor: 'sender' }, this.clock);
    return this.aggregates.handle(treasury, treasuryId(asset), command, context);
  }

  /**
   * The balance, and the reservations whose tokens it does not contain, at one block. A node that lacks the block, or
   * no longer has it after a reorg, is not read.
   */
  private async fundsNow(
    evm: TreasuryChain,
    asset: AssetId,
    reserved: ReadonlyMap<string, bigint>,
    requested: ReadonlySet<string>,
  ): Promise<Funds> {
    const block = await evm.headBlock();
    const treasury = evm.walletAddress(saltOf(treasuryWalletId(evm.chain)));
    const [outside, { balances }] = await Promise.all([
      this.outsideBalance(reserved, requested, new MinedCounts(evm, block)),
      evm.tokensAt(block, asset, [treasury]),
    ]);
    return { ...outside, balance: balances[0] ?? 0n };
  }

  /**
   * Reservations that the balance does not contain, except the requested ones: `over`, whose payment is confirmed and
   * in a block, or has ended; and `spent`, whose payment is in a block. Until it is confirmed, an ordinary reorg may
   * return its tokens, and its bytes may be mined again at any time.
   */
  private async outsideBalance(
    reserved: ReadonlyMap<string, bigint>,
    requested: ReadonlySet<string>,
    counts: MinedCounts,
  ): Promise<Omit<Funds, 'balance'>> {
    const [over, spent]: [string[], string[]] = [[], []];
    await Promise.all(
      [...reserved.keys()].map(async (transactionId) => {
        if (requested.has(transactionId)) return;
        const state = await this.transactions.load(transactionId);
        if (state.status === 'absent' || state.status === 'intended') return;
        const sent = sentIn(state);
        if (sent === null) over.push(transactionId);
        else if (sent.signed.nonce < (await counts.of(sent.intent.from)))
          (state.status === 'confirmed' ? over : spent).push(transactionId);
      }),
    );
    return { over, spent };
  }
}

/** How many transactions of the senders of payments are mined at a block, each read once. */
class MinedCounts {
  private readonly counts = new Map<string, Promise<number>>();

  constructor(
    private readonly evm: Pick<TreasuryChain, 'minedCount'>,
    private readonly block: BlockId,
  ) {}

  of(sender: string): Promise<number> {
    const known = this.counts.get(sender) ?? this.evm.minedCount(sender as Hex, this.block);
    this.counts.set(sender, known);
    return known;
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { GiveUpReason } from '@ponte/contracts';
import type { EventStore } from '@ponte/event-sourcing';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import type { Chain, Clock } from '@ponte/kernel';
import { Unavailable, derivedId } from '@ponte/kernel';
import { CLOCK, EVENT_STORE, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Hex } from '../chain/chain.port';
import { signerKey, signerKeyId } from '../signer-key/signer-key.decider';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { fromUnmined } from '../signer-key/key-streams';
import type { Intent as RecordedIntent } from '../transactions/chain-transaction.state';

/** Names a transaction and its key. */
type Intent = Pick<RecordedIntent, 'chain' | 'from' | 'transactionId'>;

interface NonceRequest {
  readonly chain: Chain;
  /** The id of the key with this address. */
  readonly keyId: string;
  readonly address: string;
  /** In the order in which they are to be executed. */
  readonly transactionIds: readonly string[];
  /** How many transactions of the address are mined, according to one node. */
  readonly minedCount: number;
}

/** The streams of the keys. They are long, so each is read only from the first event that still matters. */
@Injectable()
export class Nonces {
  private readonly aggregates: Aggregates;

  constructor(
    aggregates: Aggregates,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(SETTINGS) { heldKeyIds }: Pick<MovementsSettings, 'heldKeyIds'>,
  ) {
    // Starts at zero, so that the first refusal is visible as an increase.
    for (const { evm } of chains.all) for (const keyId of heldKeyIds) this.refusals(evm.chain, keyId);
    this.aggregates = aggregates.withOptions({ store: fromUnmined(store, chains) });
  }

  /** The transactions that already have a nonce. */
  async known(chain: Chain, address: string, transactionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { state } = await this.aggregates.load(signerKey, signerKeyId(chain, address));
    return new Set(transactionIds.filter((transactionId) => state.allocations.of(transactionId) !== undefined));
  }

  /**
   * A nonce for each transaction whose nonce was not withheld, in one append. Durable when it resolves. Rejects with
   * `Unavailable` while the mined count is higher than our allocations explain and no final block confirms it.
   */
  async allocate(request: NonceRequest): Promise<ReadonlyMap<string, number>> {
    const { chain, address, transactionIds } = request;
    await this.assertCredible(request);
    const commandId = derivedId('allocate-nonces', chain, address, ...transactionIds);
    const context = commandContext({ commandId, correlationId: commandId, actor: 'sender' }, this.clock);
    const { state } = await this.aggregates.handle(
      signerKey,
      signerKeyId(chain, address),
      { kind: 'allocate', ...request },
      context,
    );
    return new Map(
      transactionIds.flatMap((transactionId): [string, number][] => {
        const nonce = state.allocations.of(transactionId);
        if (nonce === undefined && !state.withheld.has(transactionId))
          throw new Error(`transaction ${transactionId} got no nonce`);
        return nonce === undefined ? [] : [[transactionId, nonce]];
      }),
    );
  }

  /**
   * A mined count above our next nonce means that others have used the key, or that a node is wrong. Nonces continue
   * after it only when it is final, which two nodes must say if there are several: a wrong count would leave a gap.
   */
  private async assertCredible({ chain, keyId, address, minedCount }: NonceRequest): Promise<void> {
    const reaches = (next: number): boolean => next >= minedCount;
    const { state } = await this.aggregates.load(signerKey, signerKeyId(chain, address), ({ state: held }) =>
      reaches(held.next),
    );
    if (reaches(state.next)) return;
    const query = { sender: address as Hex, hashes: [], reference: null };
    try {
      const final = await this.chains.of(chain).evm.atFinality(query);
      if (final.minedCount >= minedCount) return;
      throw new Unavailable(
        'chain-unavailable',
        `a node has mined ${minedCount} transactions of the key, but ${final.minedCount} are final and ${state.next} are ours`,
      );
    } catch (error) {
      if (error instanceof Unavailable) this.refusals(chain, keyId).inc();
      throw error;
    }
  }

  private refusals(chain: Chain, keyId: string) {
    return this.metrics.counter('ponte_nonce_counts_refused_total', { chain, operator: keyId });
  }

  /** Why the nonce of the transaction is withheld; null if it is not, or the reason is not recorded. */
  async reasonWithheld({ chain, from, transactionId }: Intent): Promise<GiveUpReason | null> {
    const { state } = await this.aggregates.load(signerKey, signerKeyId(chain, from));
    return state.withheld.get(transactionId) ?? null;
  }

  /**
   * Excludes the transaction from getting a nonce, because it is given up for that reason. Returns false when it
   * already has one. Durable when it resolves.
   */
  async withhold({ chain, from: address, transactionId }: Intent, reason: GiveUpReason): Promise<boolean> {
    const commandId = derivedId('withhold-nonce', chain, address, transactionId);
    const context = commandContext({ commandId, correlationId: commandId, actor: 'sender' }, this.clock);
    const command = { kind: 'withhold', chain, address, transactionId, reason } as const;
    const { state } = await this.aggregates.handle(signerKey, signerKeyId(chain, address), command, context);
    return state.withheld.has(transactionId);
  }
}

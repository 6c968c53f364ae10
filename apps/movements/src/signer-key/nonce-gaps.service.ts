import { Inject, Injectable } from '@nestjs/common';
import type { NoncesAllocated } from '@ponte/contracts';
import type { EventStore } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { EVENT_STORE } from '@ponte/nest';
import type { Hex } from '../chain/chain.port';
import { gasLimitsOn } from '../chain/gas-limits.domain';
import type { ServedChain } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { capped, replacementFee } from '../sending/fees';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import type { ChainTransaction } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import { revisionReaching } from './key-streams';
import { signerKey, signerKeyId } from './signer-key.decider';

/** No more than a node accepts ahead of the next nonce. */
const FILLED_AT_ONCE = 64;

interface Unmined {
  readonly allocations: readonly NoncesAllocated['data'][];
  readonly minedCount: number;
}

/** Nonces that were filled, and how many are left. */
interface FilledGap {
  readonly filled: readonly number[];
  readonly left: number;
}

/**
 * Nonces that no transaction uses, although later ones have theirs: the chain mines none of the later ones. One that
 * has ended without being mined may have a nonce.
 */
@Injectable()
export class NonceGaps {
  private readonly current = upcaster(signerKey.events);

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    private readonly transactions: ChainTransactions,
  ) {}

  /**
   * The unmined nonces of the key that were never allocated, below the next one. Also the next one to be mined, if its
   * transaction has ended without it: others like it are found when those before them are mined.
   */
  async of(served: ServedChain, address: Hex): Promise<number[]> {
    const unmined = await this.unmined(served, address);
    const gaps = gapsIn(unmined.allocations, unmined.minedCount);
    return hasLeftNonce(await this.nextHolder(unmined)) ? [unmined.minedCount, ...gaps] : gaps;
  }

  /** Whether the next nonce to be mined belongs to a transaction that has no signed bytes. */
  async isUnsigned(served: ServedChain, address: Hex): Promise<boolean> {
    return (await this.nextHolder(await this.unmined(served, address)))?.status === 'intended';
  }

  /** The transaction that has the next nonce to be mined. */
  private async nextHolder({ allocations, minedCount }: Unmined): Promise<ChainTransaction | undefined> {
    const holder = allocations.find(({ first, transactionIds: { length } }) => minedCount < first + length);
    const next = holder?.transactionIds[minedCount - holder.first];
    return next === undefined ? undefined : this.transactions.load(next);
  }

  /**
   * Fills gaps of the key with transactions that send nothing to the key itself. May be repeated: a nonce is used once,
   * and one that a transaction may still use is never filled. Rejects with `Unavailable` when no node takes one of
   * them.
   */
  async fill(served: ServedChain, keyId: string): Promise<FilledGap> {
    const address = await this.signer.addressOf(keyId);
    const gaps = await this.of(served, address);
    const filled = gaps.slice(0, FILLED_AT_ONCE);
    for (const nonce of filled) await this.use(served, keyId, { address, nonce });
    return { filled, left: gaps.length - filled.length };
  }

  /** The allocations of the key from its first unmined nonce on. */
  private async unmined({ evm }: ServedChain, address: Hex): Promise<Unmined> {
    const stream = streamName(signerKey.category, signerKeyId(evm.chain, address));
    const minedCount = await evm.nextNonce(address, 'latest');
    const events = await this.store.read(stream, { from: await revisionReaching(this.store, stream, minedCount) });
    return { allocations: events.map((event) => this.current<NoncesAllocated>(event).data), minedCount };
  }

  /** Offers higher fees while the node holds an earlier attempt with the same nonce. */
  private async use({ evm }: ServedChain, keyId: string, { address, nonce }: { address: Hex; nonce: number }) {
    const limits = this.settings.feeLimits[evm.chain];
    const gas = gasLimitsOn(evm.chain).empty;
    const market = await evm.feeQuote();
    let fee = capped(market, limits, gas);
    for (;;) {
      const { raw } = await this.signer.signTransaction(keyId, {
        chainId: evm.chainId,
        nonce,
        to: address,
        gas,
        ...fee,
      });
      const result = await evm.broadcast(raw);
      if (result.outcome === 'taken' || (result.outcome === 'refused' && result.reason === 'nonce-used')) return;
      const raised = replacementFee(fee, market, limits, gas);
      if (result.outcome === 'unknown' || result.reason !== 'fee-too-low' || raised === null)
        throw new Unavailable('chain-unavailable', `no node took nonce ${nonce}: ${result.message}`);
      fee = raised;
    }
  }
}

/**
 * Whether the transaction has ended without using its nonce: it was given up, is lost because it restored another one,
 * or its effect was found on the chain before it was signed.
 */
const hasLeftNonce = (holder: ChainTransaction | undefined): boolean =>
  holder?.status === 'given-up' ||
  holder?.status === 'lost' ||
  (holder?.status === 'confirmed' && holder.sent === null);

/** The nonces from `minedCount` on that none of the allocations has, below the last one. Allocations are in order. */
export function gapsIn(
  allocations: readonly Pick<NoncesAllocated['data'], 'first' | 'transactionIds'>[],
  minedCount: number,
): number[] {
  const gaps: number[] = [];
  let next = minedCount;
  for (const { first, transactionIds } of allocations) {
    if (transactionIds.length === 0) continue;
    for (; next < first; next += 1) gaps.push(next);
    next = Math.max(next, first + transactionIds.length);
  }
  return gaps;
}

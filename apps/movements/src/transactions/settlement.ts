import { Inject, Injectable } from '@nestjs/common';
import { logged } from '@ponte/event-sourcing';
import { isoTime } from '@ponte/kernel';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Intent, Signed } from '../domain/chain-transaction/chain-transaction';
import { referenceOf } from '../domain/mint/mint';
import type { Hex, MinedTransaction, ReferenceTaker } from '../ports/chain';
import type { ServedChain } from '../ports/served-chains';
import type { Trace } from './chain-transactions';
import { ChainTransactions } from './chain-transactions';

export type Standing =
  | { readonly kind: 'ended' }
  /** Mined, and final when the head has this number. */
  | { readonly kind: 'maturing'; readonly readyAt: number }
  /** This node does not have it in a block. Never a proof of failure. */
  | { readonly kind: 'missing' };

const ENDED: Standing = { kind: 'ended' };
const MISSING: Standing = { kind: 'missing' };

/** Reads from the chain how a transaction ended, and records it once it is certain. Rejects with `Unavailable` when no node answers. */
@Injectable()
export class Settlement {
  constructor(private readonly transactions: ChainTransactions, @Inject(LOGGER) private readonly logger: Logger) {}

  async settle(served: ServedChain, transactionId: string, txHash: Hex, trace: Trace): Promise<Standing> {
    const found = await served.evm.transaction(txHash);
    if (found.status !== 'mined') return MISSING;
    if (!isFinal(found, served)) return maturing(found, served);
    return found.succeeded
      ? this.confirm(transactionId, txHash, found, trace)
      : this.reverted(served, transactionId, found.revertReason ?? 'reverted', trace);
  }

  /**
   * What the intent wanted is on the chain already, by whichever transaction: then that is its end. Undefined when it is not.
   * A mint's tokens must never exist while its order is rolled back, so this is asked before any failure.
   */
  async servedElsewhere(served: ServedChain, intent: Intent, trace: Trace): Promise<Standing | undefined> {
    const { evm } = served;
    const { by, reference } = referenceIn(intent);
    if (!(await evm.taken(by, reference))) return undefined;
    const txHash = await evm.takenIn(by, reference);
    const found = txHash === null ? null : await evm.transaction(txHash);
    if (txHash === null || found?.status !== 'mined' || !found.succeeded) return MISSING;
    if (!isFinal(found, served)) return maturing(found, served);
    this.logger.warn({ ...logged(trace), transactionId: intent.transactionId, txHash }, 'the chain had taken the reference by another transaction');
    return this.confirm(intent.transactionId, txHash, found, trace);
  }

  /** Another transaction has the nonce for good. Call when that is certain. */
  async supersede(served: ServedChain, transactionId: string, trace: Trace): Promise<Standing> {
    const elsewhere = await this.servedElsewhere(served, await this.intentOf(transactionId), trace);
    if (elsewhere) return elsewhere;
    this.logger.error({ ...logged(trace), transactionId, chain: served.evm.chain }, 'another transaction has used the nonce: who else has this key?');
    await this.transactions.carryOut(transactionId, { kind: 'supersede' }, 'supersede', trace);
    return ENDED;
  }

  private async reverted(served: ServedChain, transactionId: string, reason: string, trace: Trace): Promise<Standing> {
    const elsewhere = await this.servedElsewhere(served, await this.intentOf(transactionId), trace);
    if (elsewhere) return elsewhere;
    // The chain says both that the reference is taken and that it is free: one node lags. It will be asked again.
    if (REFERENCE_TAKEN.has(reason)) return MISSING;
    this.logger.error({ ...logged(trace), transactionId, chain: served.evm.chain, reason }, 'a transaction was reverted');
    await this.transactions.carryOut(transactionId, { kind: 'revert', reason }, 'revert', trace);
    return ENDED;
  }

  private async confirm(transactionId: string, txHash: Signed['txHash'], found: MinedTransaction, trace: Trace): Promise<Standing> {
    const { blockNumber, blockHash, blockTime } = found;
    const mined = { txHash, blockNumber: String(blockNumber), blockHash, minedAt: isoTime(blockTime) };
    await this.transactions.carryOut(transactionId, (at) => ({ kind: 'confirm', mined, at }), 'confirm', trace);
    return ENDED;
  }

  private async intentOf(transactionId: string): Promise<Intent> {
    const state = await this.transactions.load(transactionId, ({ status }) => status !== 'absent');
    if (state.status === 'absent') throw new Error(`nobody intended transaction ${transactionId}`);
    return state.intent;
  }
}

/** What the contract takes once for this intent. */
function referenceIn({ purpose }: Intent): { readonly by: ReferenceTaker; readonly reference: Hex } {
  switch (purpose.kind) {
    case 'mint': return { by: 'minter', reference: referenceOf(purpose.id) };
    case 'redemption':
    case 'token-movement': return { by: 'custody', reference: referenceOf(purpose.id) };
  }
}

/** The contracts' names for a reference that they have taken before. */
const REFERENCE_TAKEN: ReadonlySet<string> = new Set(['ReferenceAlreadyMinted', 'ReferenceAlreadyMoved']);

const isFinal = (found: MinedTransaction, { confirmations }: ServedChain): boolean => found.confirmations >= confirmations;

const maturing = (found: MinedTransaction, { confirmations }: ServedChain): Standing =>
  ({ kind: 'maturing', readyAt: found.blockNumber + confirmations - 1 });

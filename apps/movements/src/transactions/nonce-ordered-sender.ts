import { logged } from '@ponte/event-sourcing';
import type { Tracing } from '@ponte/observability';
import type { Logger } from 'pino';
import type { ChainTransaction, Signed } from '../domain/chain-transaction/chain-transaction.state';
import { sentIn } from '../domain/chain-transaction/chain-transaction.state';
import type { TransactionPurpose } from '@ponte/contracts';
import type { WaitingTargets } from '../address-screening/waiting-targets';
import { certificateCallOf } from '../certificates/certificate-purpose';
import { backingOf, leastBackingOf, referenceOf, unitsOf } from '../domain/mint/mint';
import type { Broadcast, ContractCall, FeeQuote, Hex } from '../ports/chain.port';
import type { ServedChain } from '../ports/served-chains.port';
import type { Signer } from '../ports/signer.port';
import type { Due, TreasuryGate } from '../settlement/treasury-gate';
import { SigningRefused } from '../signer-policy/signing-policy';
import type { ChainTransactions, Trace } from './chain-transactions';
import type { FrozenAccounts, NumberedDue } from './frozen-accounts';
import { affordable, isDearer, replacementFee } from './fees';
import type { Nonces } from './nonces';
import type { Sent } from './sent';
import type { FinalityChecker } from './finality-checker';

export interface SenderParts {
  readonly served: ServedChain;
  readonly signer: Signer;
  readonly keyId: string;
  /** The most that is offered for a unit of gas, wei. */
  readonly maxFeePerGas: bigint;
  readonly transactions: ChainTransactions;
  readonly nonces: Nonces;
  readonly finality: FinalityChecker;
  readonly sent: Sent;
  /** Of the chain, shared by its lines. */
  readonly treasury: TreasuryGate;
  readonly frozen: FrozenAccounts;
  readonly targets: WaitingTargets;
  readonly logger: Logger;
  readonly tracing: Tracing;
}

/** What became of an attempt to raise the fees of a transaction. */
export type FeeRaise =
  | { readonly outcome: 'raised'; readonly txHash: string }
  /** It is mined, ended, not signed yet, or signed by a key that is not here. */
  | { readonly outcome: 'not-waiting' }
  /** It would be signed with no more today. */
  | { readonly outcome: 'high-enough' }
  | { readonly outcome: 'cap-reached' };

interface Ready extends Omit<Due, 'funded'> {
  readonly signed: Signed;
}

/**
 * Sent together: one append of nonces, one round to the node. Within what a node takes ahead of a sender's next nonce.
 */
const BATCH = 64;
/** What is beyond it is found again by the rounds over everything unfinished. */
const MOST_WAITING = 10_000;

/**
 * Brings the transactions of one key and chain from intent to broadcast, in batches and in nonce order. Nothing here is
 * a record: whatever is lost or fails is still unfinished in the log, and is handed over again by the next round.
 */
export class NonceOrderedSender {
  private readonly waiting = new Map<string, Trace>();
  private current: ReadonlySet<string> = new Set();
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly parts: SenderParts) {}

  send(transactionId: string, trace: Trace): void {
    if (this.stopped || this.current.has(transactionId) || this.waiting.size >= MOST_WAITING) return;
    this.waiting.set(transactionId, trace);
    // A run is for many: it is part of no one's trace, and each of its items of its own.
    this.running ??= this.parts.tracing.within(undefined, () => this.run());
  }

  /** Lets the batch at hand finish; the rest is left to the next start. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.waiting.clear();
    await this.running;
  }

  private async run(): Promise<void> {
    while (this.waiting.size > 0) {
      const batch = [...this.waiting].slice(0, BATCH);
      this.current = new Set(batch.map(([transactionId]) => transactionId));
      for (const transactionId of this.current) this.waiting.delete(transactionId);
      try {
        await this.carry(batch);
      } catch (error) {
        this.parts.logger.warn(
          { err: error, chain: this.parts.served.evm.chain, transactions: batch.length },
          'transactions were not sent; the next round does it',
        );
      }
    }
    // In one turn with the last look at what waits, so that no one who comes now is forgotten.
    this.current = new Set();
    this.running = undefined;
  }

  private async carry(batch: readonly (readonly [string, Trace])[]): Promise<void> {
    const intended: Due[] = [];
    const ready: Ready[] = [];
    // The append of the signature decides which process was first.
    const isUnfinished = ({ status }: ChainTransaction): boolean =>
      status === 'intended' || status === 'signed' || status === 'reorged';
    for (const [state, trace] of await Promise.all(
      batch.map(async ([id, by]) => [await this.parts.transactions.load(id, isUnfinished), by] as const),
    )) {
      if (state.status === 'intended') intended.push({ intent: state.intent, funded: state.funded, trace });
      // What is confirmed goes out again only when the chain waits for its nonce: a reorg took it back.
      const sent = sentIn(state);
      if (sent) {
        if (state.status !== 'signed') await this.parts.treasury.noteSentAgain(sent);
        ready.push({ intent: sent.intent, signed: sent.signed, trace });
      }
    }
    if (intended.length > 0) ready.push(...(await this.sign(intended)));
    await this.broadcast(ready.sort((a, b) => a.signed.nonce - b.signed.nonce));
  }

  private async sign(intended: readonly Due[]): Promise<Ready[]> {
    const {
      served: { evm },
      signer,
      keyId,
      nonces,
      maxFeePerGas: cap,
      logger,
    } = this.parts;
    const address = await signer.addressOf(keyId);
    const ours = intended.filter(({ intent }) => intent.from === address);
    if (ours.length < intended.length)
      logger.error(
        { chain: evm.chain, address },
        'transactions wait for a key that is not here: was the key store replaced?',
      );
    const [fees, minedCount, signable] = await Promise.all([
      evm.feeQuote(),
      evm.nextNonce(address, 'latest'),
      this.signable(address, ours),
    ]);
    // Once more, because the answers may have taken long.
    const unserved = await this.parts.frozen.without(signable);
    if (unserved.length === 0) return [];
    const transactionIds = unserved.map(({ intent }) => intent.transactionId);
    const nonceOf = await nonces.allocate({ chain: evm.chain, address, transactionIds, minedCount });
    const fee = affordable(fees, cap);
    return this.all(unserved, async (due) => {
      const { transactionId, purpose } = due.intent;
      const nonce = nonceOf.get(transactionId) ?? -1;
      const signed = await this.bytes(purpose, nonce, fee);
      const state = await this.parts.transactions.carryOut(transactionId, { kind: 'sign', signed }, 'sign', due.trace);
      // Someone else may have been first: then the bytes to send are theirs.
      if (state.status !== 'signed') return [];
      return [{ ...due, signed: state.signed }];
    });
  }

  /**
   * Without those that the chain has already, whose account is frozen, whose target is held, that the treasury cannot
   * pay now, or that the signer's policy refuses.
   */
  private async signable(address: string, dues: readonly Due[]): Promise<NumberedDue[]> {
    const { treasury, frozen, targets } = this.parts;
    const active = await frozen.without(await this.unserved(address, dues));
    return this.authorized(await treasury.payable(await targets.without(active)));
  }

  /**
   * Without those that the signer's policy refuses, before they have a nonce: a gap would hold up all others. They are
   * asked for again.
   */
  private async authorized(dues: readonly NumberedDue[]): Promise<NumberedDue[]> {
    const {
      served: { evm },
      signer,
      keyId,
      logger,
    } = this.parts;
    return this.all(dues, async (due) => {
      try {
        await signer.authorize(keyId, { chainId: evm.chainId, ...this.callOf(due.intent.purpose) });
        return [due];
      } catch (error) {
        if (!(error instanceof SigningRefused)) throw error;
        logger.error(
          { ...logged(due.trace), transactionId: due.intent.transactionId, rule: error.rule, reason: error.message },
          'the policy of the signer refuses a transaction; it waits',
        );
        return [];
      }
    });
  }

  private async bytes(purpose: TransactionPurpose, nonce: number, fee: FeeQuote): Promise<Signed> {
    const {
      served: { evm },
      signer,
      keyId,
    } = this.parts;
    const { raw, hash: txHash } = await signer.signTransaction(keyId, {
      chainId: evm.chainId,
      nonce,
      ...this.callOf(purpose),
      ...fee,
    });
    return {
      nonce,
      raw,
      txHash,
      maxFeePerGas: String(fee.maxFeePerGas),
      maxPriorityFeePerGas: String(fee.maxPriorityFeePerGas),
    };
  }

  /**
   * Signs the transaction again under its nonce, with both fees raised, and sends that. The bytes are durable before
   * they are sent; those before stay, and whichever is mined first counts. Without `always`, only where today's fees
   * are higher than those that it offers.
   */
  async raiseFee(transactionId: string, trace: Trace, always: boolean): Promise<FeeRaise> {
    const {
      served: { evm },
      signer,
      keyId,
      transactions,
      maxFeePerGas: cap,
      logger,
    } = this.parts;
    const state = await transactions.load(transactionId);
    if (state.status !== 'signed' && state.status !== 'reorged') return { outcome: 'not-waiting' };
    const { intent, signed: before } = state;
    if (intent.from !== (await signer.addressOf(keyId))) return { outcome: 'not-waiting' };
    const market = await evm.feeQuote();
    const offered = {
      maxFeePerGas: BigInt(before.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(before.maxPriorityFeePerGas),
    };
    if (!always && !isDearer(market, offered)) return { outcome: 'high-enough' };
    const fee = replacementFee(offered, market, cap);
    if (fee === null) {
      logger.error(
        { ...logged(trace), transactionId, chain: evm.chain, cap: String(cap) },
        'the fees of a transaction cannot be raised any more: the cap is reached',
      );
      return { outcome: 'cap-reached' };
    }
    const signed = await this.bytes(intent.purpose, before.nonce, fee);
    const after = await transactions.carryOut(
      transactionId,
      { kind: 'raise-fee', signed, replaces: before.txHash },
      `raise-fee ${before.txHash}`,
      trace,
    );
    if (after.status !== 'signed' && after.status !== 'reorged') return { outcome: 'not-waiting' };
    logger.warn(
      {
        ...logged(trace),
        transactionId,
        chain: evm.chain,
        nonce: before.nonce,
        replaces: before.txHash,
        txHash: after.signed.txHash,
      },
      'fees were raised',
    );
    await this.broadcast([{ intent, signed: after.signed, trace }]);
    return { outcome: 'raised', txHash: after.signed.txHash };
  }

  /** The call follows from the purpose, so the intent keeps no copy of it. */
  private callOf(purpose: TransactionPurpose): ContractCall {
    switch (purpose.kind) {
      case 'mint': {
        const { id, asset, amount, to, mostBrl } = purpose;
        return this.parts.served.evm.mintCall({
          reference: referenceOf(id),
          asset,
          to: to as Hex,
          units: unitsOf(asset, amount),
          ...(mostBrl === undefined ? {} : { mostBacking: backingOf(mostBrl) }),
        });
      }
      case 'redemption': {
        const { id, asset, amount, walletIds, leastBrl } = purpose;
        return this.parts.served.evm.redeemCall({
          reference: referenceOf(id),
          asset,
          units: unitsOf(asset, amount),
          wallets: walletIds.map(referenceOf),
          ...(leastBrl === null ? {} : { leastBacking: leastBackingOf(leastBrl) }),
        });
      }
      case 'certificate-mint':
      case 'nft-movement':
        return certificateCallOf(this.parts.served.evm, purpose);
      case 'token-movement': {
        const { id, asset, amount, to, walletIds } = purpose;
        return this.parts.served.evm.sendTokenCall({
          reference: referenceOf(id),
          asset,
          to: to as Hex,
          units: unitsOf(asset, amount),
          wallets: walletIds.map(referenceOf),
        });
      }
    }
  }

  /**
   * Without those whose effect the chain has already. One that has its nonce is sent in any case, since a gap would
   * hold up all others.
   */
  private async unserved(address: string, dues: readonly Due[]): Promise<NumberedDue[]> {
    const { served, nonces, finality } = this.parts;
    const allocated = await nonces.known(
      served.evm.chain,
      address,
      dues.map(({ intent }) => intent.transactionId),
    );
    return this.all(dues, async (due): Promise<NumberedDue[]> => {
      if (allocated.has(due.intent.transactionId)) return [{ ...due, numbered: true }];
      const elsewhere = await finality.servedElsewhere(served, due.intent, due.trace);
      return elsewhere === undefined ? [{ ...due, numbered: false }] : [];
    });
  }

  /** All transactions are sent to the node in one batch, in nonce order. */
  private async broadcast(ready: readonly Ready[]): Promise<void> {
    const {
      served: { evm },
      sent,
      logger,
      tracing,
    } = this.parts;
    await this.all(ready, async ({ intent: { transactionId, chain, from }, signed: { nonce, raw, txHash }, trace }) => {
      const { correlationId, traceparent } = trace;
      const said = await tracing.within(traceparent === undefined ? undefined : { traceparent, correlationId }, () =>
        evm.broadcast(raw as Hex),
      );
      if (said.outcome === 'taken')
        sent.tell({ chain, from, transaction: { id: transactionId, nonce, txHash, correlationId } });
      else
        logger[severity(said)](
          { ...logged(trace), ...said, transactionId, chain, nonce },
          'signed bytes were not taken; they will be sent again',
        );
      return [];
    });
  }

  /** All of them side by side; one that fails does not take the others along. */
  private async all<T, R>(items: readonly T[], work: (item: T) => Promise<R[]>): Promise<R[]> {
    const done = await Promise.allSettled(items.map(work));
    const failed = done.filter((one) => one.status === 'rejected');
    const [first] = failed;
    if (first)
      this.parts.logger.warn(
        { err: first.reason as unknown, failed: failed.length, chain: this.parts.served.evm.chain },
        'a step of sending failed; the next round repeats it',
      );
    return done.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  }
}

/** No answer is an everyday matter; a refusal needs someone to look: an empty gas purse, a fee that was overtaken. */
const severity = (said: Exclude<Broadcast, { outcome: 'taken' }>): 'warn' | 'error' =>
  said.outcome === 'unknown' ? 'warn' : 'error';

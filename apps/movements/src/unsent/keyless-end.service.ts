import { Inject, Injectable } from '@nestjs/common';
import type { KeyStatement } from '@ponte/contracts';
import type { CommandSource } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { FinalityChecker } from '../finality/finality-checker.service';
import type { ChainStatus } from '../finality/chain-status';
import { Nonces } from '../sending/nonces.service';
import type { ChainTransaction, ChainTransactionCommand, Intent, Sent } from '../transactions/chain-transaction.state';
import { sentIn } from '../transactions/chain-transaction.state';
import type { Trace } from '../transactions/chain-transactions.service';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import type { BytesOutlook } from './harmless-bytes.service';
import { HarmlessBytes } from './harmless-bytes.service';

/** What became of one transaction. */
export interface KeylessEnd {
  readonly transactionId: string;
  readonly outcome:
    | 'given-up'
    /** It restores a lost one: it is lost itself, and can be restored with another key. */
    | 'lost'
    /** The contract has taken its reference, not for another movement: the chain says how it ends. */
    | 'on-chain'
    /** It was signed, signed again or ended meanwhile, or names another key. */
    | 'not-waiting'
    /** Too few nodes answered, or they contradicted each other. */
    | 'unavailable'
    | HarmfulBytes;
}

/** What is known about the signed bytes of a transaction before it is given up. */
export interface SignedOutlook {
  readonly transactionId: string;
  readonly outlook: BytesOutlook['kind'] | 'not-waiting' | 'unavailable';
}

/** Why signed bytes may still have an effect. */
type HarmfulBytes = Exclude<BytesOutlook['kind'], 'harmless'>;

/** Replaces the statement of an operator that was not recorded, because the process stopped too early. */
const UNRECORDED = { actor: 'movements', reason: 'an operator stated it, but the statement was not recorded' } as const;

/** Ends a transaction whose key will never be available again. */
@Injectable()
export class KeylessEnds {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly nonces: Nonces,
    private readonly finality: FinalityChecker,
    private readonly bytes: HarmlessBytes,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
  ) {}

  /**
   * Nothing can be sent afterwards, even if another process has the key: a signature is recorded in the same stream
   * before the bytes leave the process, so one of the two comes first, and the other does nothing. May be repeated.
   *
   * @param address of the key that the transaction must name
   */
  async end(transactionId: string, address: Hex, statement: KeyStatement, trace: Trace): Promise<KeylessEnd> {
    const outcome = await unlessUnavailable(() => this.outcomeOf(transactionId, address, statement, trace));
    return { transactionId, outcome };
  }

  /** Completes an {@link end} after which only the nonce was withheld. The key may have come back. */
  complete({ transactionId, from }: Intent, trace: Trace): Promise<KeylessEnd> {
    return this.end(transactionId, from as Hex, UNRECORDED, trace);
  }

  /**
   * Ends a signed transaction whose bytes can have no effect any more. Its nonce stays unused, so later transactions of
   * the key are never mined either. May be repeated.
   *
   * @param address of the key that the transaction must name
   */
  async endSigned(transactionId: string, address: Hex, statement: KeyStatement, trace: Trace): Promise<KeylessEnd> {
    const outcome = await unlessUnavailable(async () => {
      const sent = await this.waiting(transactionId, address);
      if (sent === null) return 'not-waiting';
      const { intent, signed } = sent;
      // The watcher only looks for the effect when the nonce is used, and that may never be.
      const elsewhere = await this.finality.endIfEffective(this.chains.of(intent.chain), intent, trace);
      if (mayComplete(elsewhere)) return 'on-chain';
      const outlook = await this.bytes.outlook(sent, elsewhere !== undefined);
      if (outlook.kind !== 'harmless') return outlook.kind;
      const { revoked } = outlook;
      const giving = (at: string) =>
        ({ kind: 'give-up-signed', statement, txHash: signed.txHash, revoked, at }) as const;
      const step = `give-up-signed ${signed.txHash}`;
      return this.endWith(transactionId, giving, step, trace);
    });
    return { transactionId, outcome };
  }

  /** Whether {@link endSigned} would end the transaction now. Changes nothing. */
  async outlook(transactionId: string, address: Hex, trace: Trace): Promise<SignedOutlook> {
    const outlook = await unlessUnavailable(async () => {
      const sent = await this.waiting(transactionId, address);
      if (sent === null) return 'not-waiting';
      const isMisused = await this.finality.isMisused(this.chains.of(sent.intent.chain), sent.intent, trace);
      return (await this.bytes.outlook(sent, isMisused)).kind;
    });
    return { transactionId, outlook };
  }

  /** The bytes of a transaction of the key that is signed and not mined; otherwise null. */
  private async waiting(transactionId: string, address: Hex): Promise<Sent | null> {
    const state = await this.transactions.load(transactionId);
    const isWaiting = state.status === 'signed' || state.status === 'reorged';
    return isWaiting && state.intent.from === address ? sentIn(state) : null;
  }

  private async outcomeOf(
    transactionId: string,
    address: Hex,
    statement: KeyStatement,
    trace: Trace,
  ): Promise<KeylessEnd['outcome']> {
    const state = await this.transactions.load(transactionId);
    if (state.status !== 'intended' || state.intent.from !== address) return endOf(state) ?? 'not-waiting';
    const { intent } = state;
    // A log that was restored to an earlier state may not know that it was sent.
    const elsewhere = await this.finality.endIfEffective(this.chains.of(intent.chain), intent, trace);
    if (mayComplete(elsewhere)) return 'on-chain';
    // Otherwise a process that has the key could allocate a nonce that nothing would use.
    await this.nonces.withhold(intent, 'key-unavailable');
    const lostTxHash = await this.restoredHash(intent);
    const giving = (at: string) => ({ kind: 'give-up-keyless', statement, lostTxHash, at }) as const;
    return this.endWith(transactionId, giving, 'give-up-keyless', trace);
  }

  private async endWith(
    transactionId: string,
    giving: CommandSource<ChainTransactionCommand>,
    step: string,
    trace: Trace,
  ): Promise<KeylessEnd['outcome']> {
    const state = await this.transactions.execute(transactionId, giving, step, trace);
    this.finality.reportLost(state, trace);
    return endOf(state) ?? 'not-waiting';
  }

  private async restoredHash({ restores }: Intent): Promise<string | null> {
    if (restores === undefined) return null;
    const lost = await this.transactions.load(restores);
    return lost.status === 'lost' ? lost.txHash : null;
  }
}

async function unlessUnavailable<T>(work: () => Promise<T>): Promise<T | 'unavailable'> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return 'unavailable';
  }
}

/** Whether the transaction may still complete because its reference is taken. */
const mayComplete = (elsewhere: ChainStatus | undefined): boolean =>
  elsewhere !== undefined && elsewhere.kind !== 'misused';

const endOf = ({ status }: ChainTransaction): 'given-up' | 'lost' | undefined =>
  status === 'given-up' || status === 'lost' ? status : undefined;

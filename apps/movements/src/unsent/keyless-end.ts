import { Inject, Injectable } from '@nestjs/common';
import type { KeyStatement } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { FinalityChecker } from '../finality/finality-checker';
import { Nonces } from '../sending/nonces';
import type { ChainTransaction, Intent } from '../transactions/chain-transaction.state';
import type { Trace } from '../transactions/chain-transactions';
import { ChainTransactions } from '../transactions/chain-transactions';

/** What became of one transaction. */
export interface KeylessEnd {
  readonly transactionId: string;
  readonly outcome:
    | 'given-up'
    /** It restores a lost one: it is lost itself, and can be restored with another key. */
    | 'lost'
    /** The contract has taken its reference: the chain says how it ends. */
    | 'on-chain'
    /** It was signed or ended meanwhile, or names another key. */
    | 'not-waiting'
    /** A node did not answer. */
    | 'unavailable';
}

/** Ends an unsigned transaction whose key will never be available again. */
@Injectable()
export class KeylessEnds {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly nonces: Nonces,
    private readonly finality: FinalityChecker,
    @Inject(SERVED_CHAINS) private readonly chains: ServedChains,
  ) {}

  /**
   * Nothing can be sent afterwards, even if another process has the key: a signature is recorded in the same stream
   * before the bytes leave the process, so one of the two comes first, and the other does nothing. May be repeated.
   *
   * @param address of the key that the transaction must name
   */
  async end(transactionId: string, address: Hex, statement: KeyStatement, trace: Trace): Promise<KeylessEnd> {
    try {
      return { transactionId, outcome: await this.outcomeOf(transactionId, address, statement, trace) };
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return { transactionId, outcome: 'unavailable' };
    }
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
    if (await this.finality.servedElsewhere(this.chains.of(intent.chain), intent, trace)) return 'on-chain';
    // Otherwise a process that has the key could allocate a nonce that nothing would use.
    await this.nonces.withhold(intent.chain, intent.from, transactionId);
    const lostTxHash = await this.restoredHash(intent);
    const giving = (at: string) => ({ kind: 'give-up-keyless', statement, lostTxHash, at }) as const;
    const after = await this.transactions.carryOut(transactionId, giving, 'give-up-keyless', trace);
    return endOf(after) ?? 'not-waiting';
  }

  private async restoredHash({ restores }: Intent): Promise<string | null> {
    if (restores === undefined) return null;
    const lost = await this.transactions.load(restores);
    return lost.status === 'lost' ? lost.txHash : null;
  }
}

const endOf = ({ status }: ChainTransaction): 'given-up' | 'lost' | undefined =>
  status === 'given-up' || status === 'lost' ? status : undefined;

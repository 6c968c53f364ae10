import { Inject, Injectable } from '@nestjs/common';
import type { TransactionEnd } from '@ponte/contracts';
import { TransactionConfirmed, TransactionGivenUp, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { pagesOf, streamName, upcaster } from '@ponte/event-sourcing';
import { EVENT_STORE } from '@ponte/nest';
import { chainTransaction } from '../transactions/chain-transaction.decider';

/** The classes of {@link TransactionEnd}. */
export const TRANSACTION_ENDS = [
  TransactionConfirmed,
  TransactionReverted,
  TransactionSuperseded,
  TransactionGivenUp,
] as const;
const TYPES: ReadonlySet<string> = new Set(TRANSACTION_ENDS.map(({ type }) => type));
const current = upcaster(TRANSACTION_ENDS);

/** The events that end transactions for their resources. */
@Injectable()
export class TransactionEnds {
  constructor(@Inject(EVENT_STORE) private readonly log: Pick<EventStore, 'read'>) {}

  /** The event that ended the transaction, which a later reorg does not change; undefined if it has not ended. */
  async find(transactionId: string): Promise<Recorded<TransactionEnd> | undefined> {
    for await (const page of pagesOf(this.log, streamName(chainTransaction.category, transactionId))) {
      const end = page.find(({ type }) => TYPES.has(type));
      if (end) return current(end) as Recorded<TransactionEnd>;
    }
    return undefined;
  }
}

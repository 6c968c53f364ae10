import { Injectable } from '@nestjs/common';
import type { Chain } from '@ponte/kernel';
import type { PendingTransaction } from '../transactions/pending-transactions.read-model';

/** Signed bytes that a node has just taken. */
export interface SentTransaction {
  readonly chain: Chain;
  /** Address of the key. */
  readonly from: string;
  readonly transaction: PendingTransaction;
}

type Listener = (sent: SentTransaction) => void;

/**
 * Notifies the watcher in the same process of each broadcast, so that it does not wait for the read model. This is only
 * a shortcut: a missed notification is found in the read model.
 */
@Injectable()
export class Sent {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  notify(sent: SentTransaction): void {
    for (const listener of this.listeners) listener(sent);
  }
}

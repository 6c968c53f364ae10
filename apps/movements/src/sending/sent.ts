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
 * Word from the sender to the watcher of the same process, so that the watcher need not wait for the view. Only a
 * shortcut: what is not heard here is found in the view.
 */
@Injectable()
export class Sent {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  tell(sent: SentTransaction): void {
    for (const listener of this.listeners) listener(sent);
  }
}

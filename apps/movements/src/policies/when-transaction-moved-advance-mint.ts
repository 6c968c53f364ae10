import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { Failure } from '@ponte/contracts';
import { TransactionBroadcast, TransactionConfirmed, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded, Wish } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { AdvanceMintCommand } from '../commands/advance-mint';
import type { MintCommand } from '../domain/mint/mint';
import { ChainTransactions } from '../transactions/chain-transactions';

type Moved = TransactionBroadcast | TransactionConfirmed | TransactionReverted | TransactionSuperseded;

/** Nothing was minted, and with these bytes nothing ever will be; a new order may well succeed. */
const NOT_MINTED: Failure = { code: 'mint-failed', message: 'the tokens could not be minted', retryable: true };

/** What the chain did to the transaction is what happened to the mint that it carries. */
@EventsHandler(TransactionBroadcast, TransactionConfirmed, TransactionReverted, TransactionSuperseded)
export class WhenTransactionMovedAdvanceMint implements IEventHandler<Recorded<Moved>> {
  constructor(private readonly commands: CommandBus, private readonly transactions: ChainTransactions) {}

  async handle(event: Recorded<Moved>): Promise<void> {
    const state = await this.transactions.load(event.data.transactionId);
    if (state.status === 'absent') throw new Error('a transaction moved that nobody intended');
    const context = causedBy(event, 'advance-mint', 'when-transaction-moved');
    await this.commands.execute(new AdvanceMintCommand(state.intent.purpose.id, wishOf(event), context));
  }
}

function wishOf(event: Recorded<Moved>): Wish<MintCommand> {
  switch (event.type) {
    case 'TransactionBroadcast': {
      const { transactionId, txHash } = event.data;
      return { kind: 'note-submitted', transactionId, txHash };
    }
    case 'TransactionConfirmed': {
      const { transactionId, txHash, minedAt: txTimestamp } = event.data;
      return (at) => ({ kind: 'confirm', transactionId, txHash, txTimestamp, at });
    }
    case 'TransactionReverted':
    case 'TransactionSuperseded':
      return { kind: 'fail', failure: NOT_MINTED };
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext, CommandSource } from '@ponte/event-sourcing';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import type { Chain, Clock } from '@ponte/kernel';
import { derivedId, pick } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import type { ChainTransaction, ChainTransactionCommand, UnsentReason } from './chain-transaction.state';
import { chainTransaction } from './chain-transaction.decider';

/** The request that causes a step. */
export type Trace = Pick<RequestContext, 'correlationId' | 'causationId' | 'actor' | 'traceparent'>;

/** The streams of the transactions. Each step takes effect once, even when several processes repeat it. */
@Injectable()
export class ChainTransactions {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Loads the current state. A cached state is returned instead if it satisfies `suffices`. */
  async load(
    transactionId: string,
    suffices: (held: ChainTransaction) => boolean = () => false,
  ): Promise<ChainTransaction> {
    return (await this.aggregates.load(chainTransaction, transactionId, ({ state }) => suffices(state))).state;
  }

  /** Uses the id of the request's command. A second request with another id is compared with the recorded intent. */
  async intend(
    transactionId: string,
    command: Extract<ChainTransactionCommand, { kind: 'intend' }>,
    context: RequestContext,
  ): Promise<ChainTransaction> {
    return (
      await this.aggregates.createIfAbsent(
        chainTransaction,
        transactionId,
        command,
        commandContext(context, this.clock),
      )
    ).state;
  }

  /** Records that the movement is refused, unless its transaction is intended. Durable when it resolves. */
  async refuse(transactionId: string, chain: Chain, reason: UnsentReason): Promise<ChainTransaction> {
    const commandId = derivedId('chain-transaction', transactionId, 'refuse');
    const context = commandContext({ commandId, correlationId: commandId, actor: 'sender' }, this.clock);
    const refusing = (at: string) => ({ kind: 'refuse', transactionId, chain, reason, at }) as const;
    return (await this.aggregates.handle(chainTransaction, transactionId, refusing, context)).state;
  }

  /**
   * `step` makes the command id: the same step is executed once. A step that may occur again, after a reorg or with
   * other bytes, needs another name each time.
   */
  async execute(
    transactionId: string,
    command: CommandSource<ChainTransactionCommand>,
    step: string,
    trace: Trace,
  ): Promise<ChainTransaction> {
    const context = {
      commandId: derivedId('chain-transaction', transactionId, step),
      ...pick(trace, 'correlationId', 'causationId', 'actor', 'traceparent'),
    };
    return (await this.aggregates.handle(chainTransaction, transactionId, command, commandContext(context, this.clock)))
      .state;
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext, CommandSource } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import type { ChainTransaction, ChainTransactionCommand } from './chain-transaction.state';
import { chainTransaction } from './chain-transaction.decider';

/** On whose behalf a step is made. */
export type Trace = Pick<RequestContext, 'correlationId' | 'causationId' | 'actor' | 'traceparent'>;

/** The streams of the transactions. Each step takes effect once, even when several processes repeat it. */
@Injectable()
export class ChainTransactions {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** As it is now, or as it was when that suffices. */
  async load(
    transactionId: string,
    suffices: (held: ChainTransaction) => boolean = () => false,
  ): Promise<ChainTransaction> {
    return (await this.aggregates.load(chainTransaction, transactionId, ({ state }) => suffices(state))).state;
  }

  /** Under the command's own id: asked for again by another, it is compared with what was intended. */
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

  /**
   * `step` names what is done once: a step that may come again, after a reorg or with other bytes, has a name of its
   * own each time.
   */
  async carryOut(
    transactionId: string,
    command: CommandSource<ChainTransactionCommand>,
    step: string,
    trace: Trace,
  ): Promise<ChainTransaction> {
    const { correlationId, causationId, actor, traceparent } = trace;
    const context = {
      commandId: derivedId('chain-transaction', transactionId, step),
      correlationId,
      causationId,
      actor,
      traceparent,
    };
    return (await this.aggregates.handle(chainTransaction, transactionId, command, commandContext(context, this.clock)))
      .state;
  }
}

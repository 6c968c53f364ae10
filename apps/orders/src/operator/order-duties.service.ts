import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Ids } from '@ponte/kernel';
import { IDS, OPERATOR_DUTIES } from '@ponte/nest';
import type { OperatorDuty } from '@ponte/operator';
import { OperatorError } from '@ponte/operator';
import { EndUnsignedOrdersCommand } from '../settlement/end-unsigned-orders.command';

/** What operators may do with orders. */
@Injectable()
export class OrderDuties implements OnModuleInit {
  constructor(
    @Inject(OPERATOR_DUTIES) private readonly duties: Map<string, OperatorDuty>,
    @Inject(IDS) private readonly ids: Ids,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.duties.set('orders end-unsigned', { can: () => true, carryOut: (subject) => this.endUnsigned(subject) });
  }

  private async endUnsigned(subject: Readonly<Record<string, string>>): Promise<string> {
    const { account: accountId = '', returnPayments } = subject;
    const context = { commandId: this.ids.next(), correlationId: this.ids.next(), actor: 'operator' };
    const returnsPayments = returnPayments === 'yes';
    const done = await this.commands.execute(new EndUnsignedOrdersCommand({ accountId, returnsPayments }, context));
    if (done.outcome === 'not-frozen') throw new OperatorError(`account ${accountId} is ${done.status}, not frozen`);
    if (done.outcome === 'blocked')
      throw new OperatorError(
        `account ${accountId} is frozen for ${done.reasons.join(' and ')}, or is to be: its money stays blocked, so ` +
          'no payment is returned',
      );
    const { ended, sent, kept } = done;
    if (ended.length + sent.length + kept.length === 0) return `account ${accountId} has no processing order`;
    return [
      ...ended.map((orderId) => `order ${orderId} is rolled back`),
      ...sent.map((orderId) => `order ${orderId} is being settled: wait until it ends`),
      ...kept.map((orderId) => `order ${orderId} was paid by Pix code and is kept`),
    ].join('\n');
  }
}

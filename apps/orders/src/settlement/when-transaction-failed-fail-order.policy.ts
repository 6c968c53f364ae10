import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { Failure, GiveUpReason } from '@ponte/contracts';
import { TransactionGivenUp, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { FailOrderCommand } from '../order/fail-order.command';
import {
  ABOVE_MAXIMUM,
  ACCOUNT_NOT_ACTIVE,
  NO_LIQUIDITY,
  NOT_SETTLED,
  PAYMENT_TAKEN_BACK,
  TARGET_REFUSED,
} from '../order/order-failures.domain';
import { orderOf } from './settlements.domain';

type Failed = TransactionReverted | TransactionSuperseded | TransactionGivenUp;

const GIVEN_UP: Readonly<Record<GiveUpReason, Failure>> = {
  'liquidity-unavailable': NO_LIQUIDITY,
  compliance: TARGET_REFUSED,
  'amount-above-maximum': ABOVE_MAXIMUM,
  'account-not-active': ACCOUNT_NOT_ACTIVE,
  'payment-taken-back': PAYMENT_TAKEN_BACK,
  refused: NOT_SETTLED,
  'key-unavailable': NOT_SETTLED,
};

/**
 * Fails the order of a transaction that moved nothing and never will: a confirmed revert, a superseded transaction, or
 * one that was given up.
 */
@EventsHandler(TransactionReverted, TransactionSuperseded, TransactionGivenUp)
export class WhenTransactionFailedFailOrder implements IEventHandler<Recorded<Failed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<Failed>): Promise<void> {
    const { purpose } = event.data;
    const orderId = orderOf(purpose);
    if (orderId === null) return;
    const context = causedBy(event, 'fail-order', 'when-transaction-failed');
    await this.commands.execute(new FailOrderCommand({ orderId, failure: failureOf(event) }, context));
  }
}

function failureOf(event: Recorded<Failed>): Failure {
  switch (event.type) {
    case 'TransactionGivenUp':
      return GIVEN_UP[event.data.reason];
    case 'TransactionReverted':
    case 'TransactionSuperseded':
      return NOT_SETTLED;
  }
}

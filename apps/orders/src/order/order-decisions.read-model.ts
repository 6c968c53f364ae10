import { Injectable } from '@nestjs/common';
import { defineAwaitedDecisions } from '@ponte/nest';

/** Its table. Metrics join it to that of the orders. */
export const ORDER_DECISIONS = 'order_decisions';

/** The decisions of staff that orders wait for: the release of their accounts, and the reviews of their wallets. */
@Injectable()
export class OrderDecisions extends defineAwaitedDecisions({ table: ORDER_DECISIONS, subjects: ['order'] }) {}

import type { BrcodeWindows } from '../acceptance/brcode-expiration.domain';

/** What an operator may set; `orders.config.ts` reads it. */
export interface OrdersSettings extends BrcodeWindows {
  /** Age in seconds at which a hold without its order is taken for forgotten. */
  readonly forgottenSeconds: number;
  /** Seconds after which the settlement of an order that is processing and has no transaction is requested again. */
  readonly settlementRetrySeconds: number;
}

export const ORDERS_CONFIG = Symbol('OrdersConfig');

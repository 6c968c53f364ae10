import type { BrcodeWindows } from '../acceptance/brcode-expiration.domain';

/** The settings of this service, read by `orders.config.ts`. */
export interface OrdersSettings extends BrcodeWindows {
  /** Age in seconds at which a hold without an order is considered forgotten. */
  readonly forgottenSeconds: number;
  /** Seconds after which the settlement of a processing order that has no transaction is requested again. */
  readonly settlementRetrySeconds: number;
}

export const ORDERS_CONFIG = Symbol('OrdersConfig');

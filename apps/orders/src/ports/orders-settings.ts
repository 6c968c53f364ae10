/** What an operator may set; `orders.config.ts` reads it. */
export interface OrdersSettings {
  /** Seconds from acceptance to the expiration of a brcode for BRL→BRLV. */
  readonly brcodeSeconds: number;
  /** Age in seconds at which a hold without its order is taken for forgotten. */
  readonly forgottenSeconds: number;
  /** Seconds after which the mint of an order that is processing and has no transaction is requested again. */
  readonly mintRetrySeconds: number;
}

export const ORDERS_CONFIG = Symbol('OrdersConfig');

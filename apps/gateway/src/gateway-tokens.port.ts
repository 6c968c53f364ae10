/** Injection tokens of the gateway's own ports and settings. */
export const STAFF_TOKEN = Symbol('StaffToken');
export const KEY_MAKER = Symbol('KeyMaker');
export const GATEWAY_SETTINGS = Symbol('GatewaySettings');
export const QUOTE_SIGNER = Symbol('QuoteSigner');
export const STAFF_SETTINGS = Symbol('StaffSettings');
export const OUTBOX_WATCH = Symbol('OutboxWatch');

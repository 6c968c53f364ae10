/** What the module binds to the ports of this service. */
export const OUTGOING_HTTP = Symbol('OutgoingHttp');
export const SECRETS = Symbol('Secrets');
export const TARGET_ADDRESSES = Symbol('TargetAddresses');

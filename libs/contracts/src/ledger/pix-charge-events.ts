import { event } from '@ponte/event-sourcing';
import type { DecimalText, Timestamp } from '../shared';

/** Stream `pixCharge-<txid>`: a one-time charge at the bank, for one acceptance of a quote. */
export class PixChargeRequested extends event('PixChargeRequested')<{
  txid: string;
  accountId: string;
  parentId: string | null;
  orderId: string;
  amount: DecimalText;
  expiration: Timestamp;
  /** Fingerprint of the tax id of the only payer whose payment is accepted. */
  payerTaxIdFingerprint: string;
}> {}
export class PixChargeOpened extends event('PixChargeOpened')<{ txid: string; brcode: string; openedAt: Timestamp }> {}
/**
 * A payment matches the charge. The deposit is posted and held next; from now on the charge is closed only if the bank
 * takes the payment back before that.
 */
export class PixChargePaymentAccepted extends event('PixChargePaymentAccepted')<{
  txid: string;
  orderId: string;
  accountId: string;
  depositId: string;
  holdId: string;
  settledAt: Timestamp;
}> {}
/** A payment is returned and does not change the outcome of the charge. */
export class PixChargePaymentRefused extends event('PixChargePaymentRefused')<{
  txid: string;
  depositId: string;
  reason: 'paid-twice' | 'charge-closed' | 'paid-late' | 'account-not-active' | 'taken-back';
}> {}
/** The accepted payment is posted and held for the order under `holdId`. */
export class PixChargePaid extends event('PixChargePaid')<{
  txid: string;
  orderId: string;
  accountId: string;
  depositId: string;
  holdId: string;
  settledAt: Timestamp;
}> {}
/** A payment does not match the charge. It is returned, and the charge accepts no further payment. */
export class PixChargeMispaid extends event('PixChargeMispaid')<{
  txid: string;
  orderId: string;
  accountId: string;
  depositId: string;
  reason: 'payer-tax-id-mismatch' | 'amount-mismatch' | 'paid-late';
}> {}
/**
 * The charge is certainly unpaid: it was closed at the bank and then read there, or the bank took its payment back
 * before it was held.
 */
export class PixChargeClosed extends event('PixChargeClosed')<{
  txid: string;
  orderId: string;
  accountId: string;
  closedAt: Timestamp;
}> {}

export const PIX_CHARGE_EVENTS = [
  PixChargeRequested,
  PixChargeOpened,
  PixChargePaymentAccepted,
  PixChargePaymentRefused,
  PixChargePaid,
  PixChargeMispaid,
  PixChargeClosed,
] as const;
export type PixChargeEvent = InstanceType<(typeof PIX_CHARGE_EVENTS)[number]>;

import { event } from '@ponte/event-sourcing';
import type { DecimalText, Timestamp } from '../shared';

/** Stream `pixCharge-<txid>`: a one-time charge at the bank, owned by one acceptance of a quote. */
export class PixChargeRequested extends event('PixChargeRequested')<{
  txid: string;
  accountId: string;
  parentId: string | null;
  orderId: string;
  amount: DecimalText;
  expiration: Timestamp;
  /** The only payer whose money is taken. */
  payerTaxIdFingerprint: string;
}> {}
export class PixChargeOpened extends event('PixChargeOpened')<{ txid: string; brcode: string; openedAt: Timestamp }> {}
/** A payment is as agreed: from here on the charge cannot be closed, and the deposit is posted and held. */
export class PixChargePaymentAccepted extends event('PixChargePaymentAccepted')<{
  txid: string;
  orderId: string;
  accountId: string;
  depositId: string;
  holdId: string;
  settledAt: Timestamp;
}> {}
/** A payment that does not change what the charge came to is sent back. */
export class PixChargePaymentRefused extends event('PixChargePaymentRefused')<{
  txid: string;
  depositId: string;
  reason: 'paid-twice' | 'charge-closed' | 'paid-late' | 'account-not-active';
}> {}
/** Paid as agreed: posted and held for the order under `holdId`. */
export class PixChargePaid extends event('PixChargePaid')<{
  txid: string;
  orderId: string;
  accountId: string;
  depositId: string;
  holdId: string;
  settledAt: Timestamp;
}> {}
/** A payment came that is not as agreed; it is returned and the charge is spent. */
export class PixChargeMispaid extends event('PixChargeMispaid')<{
  txid: string;
  orderId: string;
  accountId: string;
  depositId: string;
  reason: 'payer-tax-id-mismatch' | 'amount-mismatch' | 'paid-late';
}> {}
/** Closed at the bank, then read: certainly unpaid. */
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

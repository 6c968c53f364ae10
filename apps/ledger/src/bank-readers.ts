import type { TimeReader } from '@ponte/operator';
import { RETURNED_PAYMENTS_READER } from './payouts/poll-returned-payments.command';
import { RECEIVED_PIX_READER } from './pix-charge/poll-received-pix.command';
import { TAKEN_BACK_PIX_READER } from './take-back/poll-taken-back-pix.command';
import { RECEIVED_TEDS_READER } from './ted-deposit/poll-received-teds.command';

/** The lease that the one process polling the bank holds. */
export const LEDGER_TIMERS_LEASE = 'ledger-timers';

/** The readers of the bank's lists, which operators can rewind. Each stores the time up to which it has polled. */
export const BANK_READERS: readonly TimeReader[] = [
  RECEIVED_PIX_READER,
  TAKEN_BACK_PIX_READER,
  RECEIVED_TEDS_READER,
  RETURNED_PAYMENTS_READER,
].map((name) => ({ name, lease: LEDGER_TIMERS_LEASE }));

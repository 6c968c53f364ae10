import type { TimeReader } from '@ponte/operator';
import { RECEIVED_PIX_READER } from './pix-charge/poll-received-pix.command';

/** The lease of whichever process asks the bank. */
export const LEDGER_TIMERS_LEASE = 'ledger-timers';

/** The reader of the bank's payments, as operators put it back. */
export const RECEIVED_PIX: TimeReader = { name: RECEIVED_PIX_READER, lease: LEDGER_TIMERS_LEASE };

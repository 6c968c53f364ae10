import { Injectable } from '@nestjs/common';
import { defineAwaitedDecisions } from '@ponte/nest';

/** Its table. Metrics join it to those of holds, deposits and withdrawals. */
export const LEDGER_DECISIONS = 'ledger_decisions';

/**
 * The decisions of staff that holds, deposits and withdrawals wait for: the releases of accounts, and the reviews of
 * addresses.
 */
@Injectable()
export class LedgerDecisions extends defineAwaitedDecisions({
  table: LEDGER_DECISIONS,
  subjects: ['order', 'deposit', 'withdrawal'],
}) {}

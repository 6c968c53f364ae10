import { join } from 'node:path';
import type { Provider } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import type { Metrics, Runtime, Tracing } from '@ponte/nest';
import { CLOCK, METRICS, RUNTIME, tracePort, TRACING, VIEWS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { BusinessCalendar } from './business-calendar/business-calendar';
import type { KeyDirectory } from './key-directory/key-directory.port';
import { KEY_DIRECTORY } from './key-directory/key-directory.port';
import { AdvanceInSandboxHandler } from './payouts/advance-in-sandbox.command';
import { countedCalls } from './payouts/counted-calls';
import type { Payouts } from './payouts/payouts.port';
import { PAYOUT_NOTICES, PAYOUT_SANDBOX, PAYOUTS } from './payouts/payouts.port';
import { PollReturnedPaymentsHandler } from './payouts/poll-returned-payments.command';
import { ReceiveReturnedPaymentHandler } from './payouts/receive-returned-payment.command';
import { SimulatedPayouts } from './payouts/simulated.payouts.adapter';
import type { LedgerSettings } from './ports/ledger-settings';
import { LEDGER_SETTINGS } from './ports/ledger-settings';
import { AdvanceWithdrawalHandler } from './withdrawal/advance-withdrawal.command';
import { CreateWithdrawalHandler } from './withdrawal/create-withdrawal.command';
import { ResumeWithdrawalsHandler } from './withdrawal/resume-withdrawals.command';
import { PayeeSealing } from './withdrawal/seal-payee';
import { SendPayout } from './withdrawal/send-payout';
import { SettleTokenWithdrawalHandler } from './withdrawal/settle-token-withdrawal.command';
import { WithdrawalMetrics } from './withdrawal/withdrawal-metrics';
import { WithdrawalFunds } from './withdrawal/withdrawal-funds';
import { GetWithdrawalHandler, ListWithdrawalsHandler } from './withdrawal/withdrawals.queries';
import { KyselyWithdrawalRows, WITHDRAWAL_ROWS } from './withdrawal/withdrawals.read-model';
import { Withdrawals } from './withdrawal/withdrawals.repository';

/** What is asked of the bank, for traces. */
const PAYOUT_CALLS = ['send', 'get', 'cancel', 'listReturned'] as const;

/** The part of the ledger that pays out. */
export const WITHDRAWAL_PROVIDERS: readonly Provider[] = [
  { provide: SimulatedPayouts, useFactory: ({ dataDirectory }: Runtime, clock: Clock) => new SimulatedPayouts({ file: join(dataDirectory, 'payout-bank.db'), clock }), inject: [RUNTIME, CLOCK] },
  {
    provide: PAYOUTS, inject: [SimulatedPayouts, TRACING, METRICS],
    useFactory: (bank: SimulatedPayouts, tracing: Tracing, metrics: Metrics): Payouts => countedCalls(tracePort<Payouts>(bank, 'payouts', PAYOUT_CALLS, {}, tracing), PAYOUT_CALLS, metrics),
  },
  { provide: PAYOUT_NOTICES, useExisting: SimulatedPayouts },
  { provide: PAYOUT_SANDBOX, useFactory: (bank: SimulatedPayouts, { environment }: Runtime) => (environment === 'sandbox' ? bank : null), inject: [SimulatedPayouts, RUNTIME] },
  {
    provide: KEY_DIRECTORY,
    useFactory: (bank: SimulatedPayouts, tracing: Tracing, metrics: Metrics): KeyDirectory =>
      countedCalls(tracePort<KeyDirectory>(bank.directory, 'key-directory', ['lookUp'], {}, tracing), ['lookUp'], metrics),
    inject: [SimulatedPayouts, TRACING, METRICS],
  },
  { provide: BusinessCalendar, useFactory: ({ bankHolidays }: LedgerSettings) => new BusinessCalendar(bankHolidays), inject: [LEDGER_SETTINGS] },
  { provide: WITHDRAWAL_ROWS, useFactory: (views: Kysely<unknown>) => new KyselyWithdrawalRows(views), inject: [VIEWS] },
  Withdrawals, WithdrawalFunds, PayeeSealing, SendPayout, WithdrawalMetrics,
  CreateWithdrawalHandler, AdvanceWithdrawalHandler, SettleTokenWithdrawalHandler, ResumeWithdrawalsHandler, AdvanceInSandboxHandler,
  ReceiveReturnedPaymentHandler, PollReturnedPaymentsHandler, GetWithdrawalHandler, ListWithdrawalsHandler,
];

import { join } from 'node:path';
import type { Provider } from '@nestjs/common';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { instrument } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import type { Metrics, Tracing } from '@ponte/observability';
import { CLOCK, METRICS, PERSONAL_DATA, RUNTIME, SYSTEM_CLOCK, TRACING } from '@ponte/nest';
import { portTraces } from '@ponte/observability';
import { BusinessCalendar } from '../business-calendar/business-calendar';
import { KEY_DIRECTORY_PROVIDERS } from '../key-directory/key-directory.module';
import { HttpKeyDirectory } from '../key-directory/http.key-directory.adapter';
import type { KeyDirectory } from '../key-directory/key-directory.port';
import { KEY_DIRECTORY } from '../key-directory/key-directory.port';
import { AdvanceInSandboxHandler } from '../payouts/advance-in-sandbox.command';
import { openBankClient } from '../payouts/open-bank-client.adapter';
import { countedCalls } from '../payouts/counted-calls';
import { PayoutReturns, PayoutReturnStreams } from '../payout-returns/payout-returns.repository';
import { HttpPayouts } from '../payouts/http.payouts.adapter';
import { PayoutContradictions } from '../payouts/payout-contradictions.service';
import type { PayoutNotices, Payouts, PayoutSandbox } from '../payouts/payouts.port';
import { PAYOUT_NOTICES, PAYOUT_SANDBOX, PAYOUTS } from '../payouts/payouts.port';
import { PollReturnedPaymentsHandler } from '../payouts/poll-returned-payments.command';
import { ReceiveReturnedPaymentHandler } from '../payouts/receive-returned-payment.command';
import { SimulatedPayouts } from '../payouts/simulated.payouts.adapter';
import type { LedgerSettings } from '../ledger-settings.port';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import { HttpIncomingTeds } from '../ted-deposit/http.incoming-teds.adapter';
import type { IncomingTeds, TedPayer } from '../ted-deposit/incoming-teds.port';
import { INCOMING_TEDS, TED_PAYER } from '../ted-deposit/incoming-teds.port';
import { PollReceivedTedsHandler } from '../ted-deposit/poll-received-teds.command';
import { SimulateDepositHandler } from '../ted-deposit/simulate-deposit.command';
import { SimulatedIncomingTeds } from '../ted-deposit/simulated.incoming-teds.adapter';
import {
  ConfirmUsdDepositHandler,
  RecordUsdDepositHandler,
  RejectUsdDepositHandler,
} from '../usd-deposit/usd-deposits.commands';
import { ListUsdDepositsHandler } from '../usd-deposit/usd-deposits.query';
import { AdvanceWithdrawalHandler } from './advance-withdrawal.command';
import { CreateWithdrawalHandler } from './create-withdrawal.command';
import { GetFxDaysHandler, GetIofPayableHandler } from '../reports/get-fx-reports.query';
import { PayOutOrderHandler } from '../order-payout/pay-out-order.command';
import { ResumeWithdrawalsHandler } from './resume-withdrawals.command';
import { ReviewWithdrawalHandler } from '../withdrawal-review/review-withdrawal.command';
import { VerdictReasons } from '../withdrawal-review/verdict-reasons.service';
import { REFUSED_PAYOUT_PROVIDERS } from '../refused-payout/refused-payout.module';
import { SendPayout } from '../payouts/send-payout.service';
import { SettleTokenWithdrawalHandler } from '../token-withdrawal/settle-token-withdrawal.command';
import { WithdrawalMetrics } from './withdrawal.metrics';
import { WithdrawalChecks } from '../withdrawal-checks/withdrawal-checks.service';
import { WithdrawalFunds } from './withdrawal-funds.service';
import {
  GetWithdrawalHandler,
  ListStartedWithdrawalsHandler,
  ListWithdrawalsHandler,
  ListWithdrawalsToHandler,
} from './withdrawals.queries';
import { WithdrawalTargets } from './withdrawal-targets.service';
import { Withdrawals } from './withdrawals.repository';

/** The bank calls that are traced and counted. */
const PAYOUT_CALLS = ['send', 'get', 'cancel', 'listReturned'] as const;

const PAYOUT_METRIC = 'ponte_payout_calls_total';

const PAYOUT_BANK = Symbol('PayoutBank');

/** The payout bank, simulated or real. Nest closes it when the process stops. */
interface PayoutBank {
  readonly payouts: Payouts;
  readonly directory: KeyDirectory;
  readonly notices: PayoutNotices;
  readonly teds: IncomingTeds;
  readonly tedPayer: TedPayer | null;
  readonly sandbox: PayoutSandbox | null;
  onApplicationShutdown(): void | Promise<void>;
}

function openBank(
  { dataDirectory }: Runtime,
  clock: Clock,
  systemClock: Clock,
  { payoutBank }: LedgerSettings,
  personalData: PersonalData,
  metrics: Metrics,
): PayoutBank {
  if (payoutBank === null) {
    const bank = new SimulatedPayouts({ file: join(dataDirectory, 'payout-bank.db'), clock });
    const teds = new SimulatedIncomingTeds({ file: join(dataDirectory, 'ted-bank.db'), clock, personalData });
    return {
      payouts: bank,
      directory: bank.directory,
      notices: bank,
      sandbox: bank,
      teds,
      tedPayer: teds,
      onApplicationShutdown: () => [bank, teds].forEach((one) => one.onApplicationShutdown()),
    };
  }
  const client = openBankClient(payoutBank, 'payout-bank', null, systemClock, metrics);
  // This bank sends no notices, so only the timers poll it.
  return {
    payouts: new HttpPayouts(client),
    directory: new HttpKeyDirectory(client),
    notices: { listen: () => undefined },
    sandbox: null,
    teds: new HttpIncomingTeds(client),
    tedPayer: null,
    onApplicationShutdown: () => client.close(),
  };
}

/** The providers of withdrawals, payouts, reports, and TED and USD deposits. */
export const WITHDRAWAL_PROVIDERS: readonly Provider[] = [
  {
    provide: PAYOUT_BANK,
    useFactory: openBank,
    inject: [RUNTIME, CLOCK, SYSTEM_CLOCK, LEDGER_SETTINGS, PERSONAL_DATA, METRICS],
  },
  {
    provide: PAYOUTS,
    inject: [PAYOUT_BANK, TRACING, METRICS],
    useFactory: ({ payouts }: PayoutBank, tracing: Tracing, metrics: Metrics): Payouts =>
      instrument(payouts, [
        portTraces('payouts', PAYOUT_CALLS, {}, tracing),
        countedCalls(PAYOUT_METRIC, PAYOUT_CALLS, metrics),
      ]),
  },
  {
    provide: KEY_DIRECTORY,
    inject: [PAYOUT_BANK, TRACING, METRICS],
    useFactory: ({ directory }: PayoutBank, tracing: Tracing, metrics: Metrics): KeyDirectory =>
      instrument(directory, [
        portTraces('key-directory', ['lookUp'], {}, tracing),
        countedCalls(PAYOUT_METRIC, ['lookUp'], metrics),
      ]),
  },
  {
    provide: INCOMING_TEDS,
    inject: [PAYOUT_BANK, TRACING],
    useFactory: ({ teds }: PayoutBank, tracing: Tracing): IncomingTeds =>
      instrument(teds, [portTraces('teds', ['get', 'list', 'sendBack', 'getSentBack'], {}, tracing)]),
  },
  {
    provide: TED_PAYER,
    useFactory: ({ tedPayer }: PayoutBank, { environment }: Runtime) => (environment === 'sandbox' ? tedPayer : null),
    inject: [PAYOUT_BANK, RUNTIME],
  },
  { provide: PAYOUT_NOTICES, useFactory: ({ notices }: PayoutBank) => notices, inject: [PAYOUT_BANK] },
  {
    provide: PAYOUT_SANDBOX,
    useFactory: ({ sandbox }: PayoutBank, { environment }: Runtime) => (environment === 'sandbox' ? sandbox : null),
    inject: [PAYOUT_BANK, RUNTIME],
  },
  {
    provide: BusinessCalendar,
    useFactory: ({ bankHolidays }: LedgerSettings) => new BusinessCalendar(bankHolidays),
    inject: [LEDGER_SETTINGS],
  },
  Withdrawals,
  WithdrawalFunds,
  WithdrawalChecks,
  WithdrawalTargets,
  SendPayout,
  PayoutReturnStreams,
  PayoutReturns,
  PayoutContradictions,
  WithdrawalMetrics,
  VerdictReasons,
  ReviewWithdrawalHandler,
  CreateWithdrawalHandler,
  PayOutOrderHandler,
  AdvanceWithdrawalHandler,
  SettleTokenWithdrawalHandler,
  ResumeWithdrawalsHandler,
  AdvanceInSandboxHandler,
  ReceiveReturnedPaymentHandler,
  PollReturnedPaymentsHandler,
  GetWithdrawalHandler,
  ListWithdrawalsHandler,
  ListWithdrawalsToHandler,
  ListStartedWithdrawalsHandler,
  GetFxDaysHandler,
  GetIofPayableHandler,
  PollReceivedTedsHandler,
  SimulateDepositHandler,
  RecordUsdDepositHandler,
  ConfirmUsdDepositHandler,
  RejectUsdDepositHandler,
  ListUsdDepositsHandler,
  ...KEY_DIRECTORY_PROVIDERS,
  ...REFUSED_PAYOUT_PROVIDERS,
];

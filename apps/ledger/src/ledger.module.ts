import { join } from 'node:path';
import { Module } from '@nestjs/common';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { instrument } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import type { Tracing } from '@ponte/observability';
import { CLOCK, PERSONAL_DATA, RUNTIME, TRACING, providePolicies, provideReadModels } from '@ponte/nest';
import { portTraces } from '@ponte/observability';
import { PostHouseLossHandler } from './house-loss/post-house-loss.command';
import { LEDGER_READ_MODELS, READ_MODELS_BATCH } from './ledger.read-models';
import { LedgerMetrics } from './trial-balance/ledger.metrics';
import { SimulatedBank } from './pix-charge/adapters/simulated.pix-charges.adapter';
import { Accounts } from './deposit/pix-accounts';
import { AdvanceDepositHandler } from './deposit/advance-deposit.command';
import { Charges } from './pix-charge/charges.repository';
import { ClosePixChargeHandler } from './pix-charge/close-pix-charge.command';
import { Deposits } from './deposit/deposits.repository';
import { ValidateDeposit } from './deposit/validate-deposit';
import { OpenPixChargeHandler } from './pix-charge/open-pix-charge.command';
import { LedgerAccounts } from './ledger-account/ledger-accounts.repository';
import { PlaceHoldHandler } from './ledger-account/place-hold.command';
import { PollReceivedPixHandler } from './pix-charge/poll-received-pix.command';
import { PostExchangeHandler } from './ledger-account/post-exchange.command';
import { ReceivePixHandler } from './pix-charge/receive-pix.command';
import { ReleaseHoldHandler } from './ledger-account/release-hold.command';
import { ResumeDepositsHandler } from './deposit/resume-deposits.command';
import { ReturnChargePaymentHandler } from './pix-charge/return-charge-payment.command';
import { ReturnDepositHandler } from './deposit/return-deposit.command';
import { BankPolls } from './payouts/bank-polls';
import { PersonSealing } from './person/person-sealing';
import { SendReturn } from './deposit/send-return';
import { MalformedIds } from './pix-charge/malformed-ids';
import { SimulatePixPaymentHandler } from './pix-charge/simulate-pix-payment.command';
import { readLedgerConfig } from './ledger.config';
import { LedgerTimers } from './ledger.timers';
import { LedgerAccountMessages } from './ledger-account/ledger-account.controller';
import { PixChargeMessages } from './pix-charge/pix-charge.controller';
import { WithdrawalMessages } from './withdrawal/withdrawal.controller';
import { UsdDepositMessages } from './usd-deposit/usd-deposit.controller';
import { DepositMessages } from './deposit/deposit.controller';
import { SUSPENSE_CONTROLLERS, SUSPENSE_PROVIDERS } from './suspense/suspense.module';
import { ReportMessages } from './reports/reports.controller';
import { LedgerMessages } from './ledger.controller';
import type { LedgerSettings } from './ledger-settings.port';
import { LEDGER_SETTINGS } from './ledger-settings.port';
import type { PixCharges } from './pix-charge/pix-charges.port';
import { PIX_CHARGES, PIX_NOTICES } from './pix-charge/pix-charges.port';
import { PIX_PAYER } from './pix-charge/pix-payer.port';
import { GetBalanceHandler } from './ledger-account/get-balance.query';
import { GetTrialBalanceHandler } from './trial-balance/get-trial-balance.query';
import { GetChargeHandler } from './pix-charge/get-charge.query';
import { GetDepositHandler, GetUncreditedTokensHandler, ListDepositsHandler } from './deposit/deposits.queries';
import { GetFundingCodeHandler } from './deposit/get-funding-code.query';
import { ListOpenHoldsHandler } from './ledger-account/list-open-holds.query';
import { ListOverdueChargesHandler } from './pix-charge/list-overdue-charges.query';
import { SandboxLedgerMessages } from './sandbox.messages';
import { SettleTakeBack } from './take-back/settle-take-back';
import { TakeBackDepositHandler } from './take-back/take-back-deposit.command';
import { PostTokenMovementHandler } from './token-movement/post-token-movement.command';
import { ReceiveTokenMovementHandler } from './token-movement/receive-token-movement.command';
import { LEDGER_POLICIES } from './ledger.policies';
import { TOKEN_DEPOSIT_PROVIDERS } from './token-deposit/token-deposit.module';
import {
  ADDRESS_SCREENING_CONTROLLERS,
  ADDRESS_SCREENING_PROVIDERS,
} from './address-screening/address-screening.module';
import { WITHDRAWAL_PROVIDERS } from './withdrawal/withdrawal.module';

const COMMANDS = [
  PlaceHoldHandler,
  ReleaseHoldHandler,
  PostExchangeHandler,
  OpenPixChargeHandler,
  ClosePixChargeHandler,
  ReturnChargePaymentHandler,
  ReturnDepositHandler,
  PostHouseLossHandler,
  PostTokenMovementHandler,
  ReceiveTokenMovementHandler,
  ReceivePixHandler,
  AdvanceDepositHandler,
  PollReceivedPixHandler,
  ResumeDepositsHandler,
  SimulatePixPaymentHandler,
  TakeBackDepositHandler,
];
const QUERIES = [
  GetBalanceHandler,
  GetChargeHandler,
  ListDepositsHandler,
  GetDepositHandler,
  GetUncreditedTokensHandler,
  GetFundingCodeHandler,
  ListOpenHoldsHandler,
  ListOverdueChargesHandler,
  GetTrialBalanceHandler,
];

/** The calls to the bank that are traced. */
const BANK_CALLS = [
  'putCharge',
  'getCharge',
  'removeCharge',
  'getReceived',
  'listReceived',
  'listTakenBack',
  'requestReturn',
  'getReturn',
] as const;

@Module({
  controllers: [
    LedgerMessages,
    LedgerAccountMessages,
    PixChargeMessages,
    WithdrawalMessages,
    UsdDepositMessages,
    DepositMessages,
    ReportMessages,
    ...ADDRESS_SCREENING_CONTROLLERS,
    ...SUSPENSE_CONTROLLERS,
  ],
  providers: [
    {
      provide: LEDGER_SETTINGS,
      useFactory: ({ environment }: Runtime) => readLedgerConfig(process.env, environment),
      inject: [RUNTIME],
    },
    { provide: SimulatedBank, useFactory: simulatedBank, inject: [RUNTIME, LEDGER_SETTINGS, CLOCK, PERSONAL_DATA] },
    {
      provide: PIX_CHARGES,
      useFactory: (bank: SimulatedBank, tracing: Tracing): PixCharges =>
        instrument<PixCharges>(bank, [portTraces('bank', BANK_CALLS, {}, tracing)]),
      inject: [SimulatedBank, TRACING],
    },
    { provide: PIX_NOTICES, useExisting: SimulatedBank },
    {
      provide: PIX_PAYER,
      useFactory: (bank: SimulatedBank, { environment }: Runtime) => (environment === 'sandbox' ? bank : null),
      inject: [SimulatedBank, RUNTIME],
    },
    Accounts,
    LedgerAccounts,
    Deposits,
    Charges,
    ValidateDeposit,
    PersonSealing,
    BankPolls,
    SendReturn,
    MalformedIds,
    SettleTakeBack,
    ...ADDRESS_SCREENING_PROVIDERS,
    ...WITHDRAWAL_PROVIDERS,
    ...TOKEN_DEPOSIT_PROVIDERS,
    ...SUSPENSE_PROVIDERS,
    ...COMMANDS,
    ...QUERIES,
    ...providePolicies('ledger', LEDGER_POLICIES),
    SandboxLedgerMessages,
    ...provideReadModels(LEDGER_READ_MODELS, { batchSize: READ_MODELS_BATCH }),
    LedgerTimers,
    LedgerMetrics,
  ],
})
export class LedgerModule {}

function simulatedBank(
  runtime: Runtime,
  settings: LedgerSettings,
  clock: Clock,
  personalData: PersonalData,
): SimulatedBank {
  return new SimulatedBank({
    file: join(runtime.dataDirectory, 'pix-bank.db'),
    clock,
    personalData,
    key: settings.pixKey,
    host: settings.payloadHost,
  });
}

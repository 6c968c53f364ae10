import { join } from 'node:path';
import { Module } from '@nestjs/common';
import type { EventStore, PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { instrument } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import type { Tracing } from '@ponte/observability';
import {
  CLOCK,
  EVENT_STORE,
  PERSONAL_DATA,
  RUNTIME,
  TRACING,
  VIEWS,
  providePolicies,
  provideReadModels,
} from '@ponte/nest';
import { portTraces } from '@ponte/observability';
import type { Kysely } from 'kysely';
import { HouseLosses } from './house-loss/house-losses';
import { PostHouseLossHandler } from './house-loss/post-house-loss.command';
import { KyselyTrialBalance } from './adapters/trial-balance/kysely';
import { CatchUpTrialBalance } from './adapters/catch-up';
import { LEDGER_READ_MODELS, LISTS_BATCH } from './adapters/rebuild';
import { LedgerMetrics } from './adapters/metrics';
import { SimulatedBank } from './adapters/pix-charges/simulated-bank';
import { Accounts } from './commands/accounts';
import { AdvanceDepositHandler } from './commands/advance-deposit.command';
import { Charges } from './commands/charges.repository';
import { ClosePixChargeHandler } from './commands/close-pix-charge.command';
import { Deposits } from './commands/deposits.repository';
import { ValidateDeposit } from './commands/validate-deposit';
import { OpenPixChargeHandler } from './commands/open-pix-charge.command';
import { PlaceHoldHandler } from './commands/place-hold.command';
import { PollReceivedPixHandler } from './commands/poll-received-pix.command';
import { PostExchangeHandler } from './commands/post-exchange.command';
import { ReceivePixHandler } from './commands/receive-pix.command';
import { ReleaseHoldHandler } from './commands/release-hold.command';
import { ResumeDepositsHandler } from './commands/resume-deposits.command';
import { ReturnChargePaymentHandler } from './commands/return-charge-payment.command';
import { ReturnDepositHandler } from './commands/return-deposit.command';
import { SealPayer } from './commands/seal-payer';
import { SendReturn } from './commands/send-return';
import { SimulatePixPaymentHandler } from './commands/simulate-pix-payment.command';
import { readLedgerConfig } from './ledger.config';
import { LedgerTimers } from './ledger.timers';
import { LedgerMessages } from './messages.controller';
import { TRIAL_BALANCE } from './ports/trial-balance.port';
import type { LedgerSettings } from './ports/ledger-settings.port';
import { LEDGER_SETTINGS } from './ports/ledger-settings.port';
import type { PixCharges } from './ports/pix-charges.port';
import { PIX_CHARGES, PIX_NOTICES } from './ports/pix-charges.port';
import { PIX_PAYER } from './ports/pix-payer.port';
import { GetBalanceHandler } from './queries/get-balance.query';
import { GetTrialBalanceHandler } from './queries/get-trial-balance.query';
import { GetChargeHandler } from './queries/get-charge.query';
import { GetDepositHandler } from './queries/get-deposit.query';
import { GetFundingCodeHandler } from './queries/get-funding-code.query';
import { ListDepositsHandler } from './queries/list-deposits.query';
import { ListOpenHoldsHandler } from './queries/list-open-holds.query';
import { ListOverdueChargesHandler } from './queries/list-overdue-charges.query';
import { SandboxLedgerMessages } from './sandbox.messages';
import { SettleTakeBack } from './commands/settle-take-back';
import { TakeBackDepositHandler } from './commands/take-back-deposit.command';
import { PostTokenMovementHandler } from './token-movement/post-token-movement.command';
import { ReceiveTokenMovementHandler } from './token-movement/receive-token-movement.command';
import { LEDGER_POLICIES } from './policies/ledger.policies';
import { TOKEN_DEPOSIT_CONTROLLERS, TOKEN_DEPOSIT_PROVIDERS } from './token-deposit/token-deposits.module';
import { ADDRESS_SCREENING_CONTROLLERS, ADDRESS_SCREENING_PROVIDERS } from './address-screening.module';
import { WITHDRAWAL_PROVIDERS } from './withdrawals.module';

const COMMANDS = [
  PlaceHoldHandler,
  ReleaseHoldHandler,
  PostExchangeHandler,
  OpenPixChargeHandler,
  ClosePixChargeHandler,
  ReturnChargePaymentHandler,
  ReturnDepositHandler,
  PostHouseLossHandler,
  HouseLosses,
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
  controllers: [LedgerMessages, ...TOKEN_DEPOSIT_CONTROLLERS, ...ADDRESS_SCREENING_CONTROLLERS],
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
    {
      provide: TRIAL_BALANCE,
      useFactory: (views: Kysely<unknown>, store: EventStore) => new KyselyTrialBalance(views, store),
      inject: [VIEWS, EVENT_STORE],
    },
    Accounts,
    Deposits,
    Charges,
    ValidateDeposit,
    SealPayer,
    SendReturn,
    SettleTakeBack,
    ...ADDRESS_SCREENING_PROVIDERS,
    ...WITHDRAWAL_PROVIDERS,
    ...TOKEN_DEPOSIT_PROVIDERS,
    ...COMMANDS,
    ...QUERIES,
    ...providePolicies('ledger', LEDGER_POLICIES),
    SandboxLedgerMessages,
    ...provideReadModels(LEDGER_READ_MODELS, { batchSize: LISTS_BATCH }),
    CatchUpTrialBalance,
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

import { Module } from '@nestjs/common';
import type { Runtime } from '@ponte/nest';
import { RUNTIME, providePolicies, provideReadModels } from '@ponte/nest';
import { PostHouseLossHandler } from './house-loss/post-house-loss.command';
import { LEDGER_READ_MODELS } from './ledger.read-models';
import { LedgerMetrics } from './trial-balance/ledger.metrics';
import { Accounts } from './deposit/pix-accounts.service';
import { AdvanceDepositHandler } from './deposit/advance-deposit.command';
import { Deposits } from './deposit/deposits.repository';
import { ValidateDeposit } from './deposit/validate-deposit.service';
import { LedgerAccounts } from './ledger-account/ledger-accounts.repository';
import { PlaceHoldHandler } from './ledger-account/place-hold.command';
import { PostExchangeHandler } from './ledger-account/post-exchange.command';
import { ReleaseHoldHandler } from './ledger-account/release-hold.command';
import { ResumeDeposit } from './deposit-retries/resume-deposit.service';
import { ResumeDepositsHandler } from './deposit-retries/resume-deposits.command';
import { ResumeReturnsHandler } from './deposit-retries/resume-returns.command';
import { ReturnDepositHandler } from './deposit/return-deposit.command';
import { BankPolls } from './payouts/bank-polls.service';
import { PersonSealing } from './person/person-sealing.service';
import { SendReturn } from './deposit/send-return.service';
import { readLedgerConfig } from './ledger.config';
import { LedgerTimers } from './ledger.timers';
import { LedgerAccountMessages } from './ledger-account/ledger-account.controller';
import { PixChargeMessages } from './pix-charge/pix-charge.controller';
import { WithdrawalMessages } from './withdrawal/withdrawal.controller';
import { UsdDepositMessages } from './usd-deposit/usd-deposit.controller';
import { DepositMessages } from './deposit/deposit.controller';
import { SUSPENSE_CONTROLLERS, SUSPENSE_PROVIDERS } from './suspense/suspense.module';
import { SET_ASIDE_CONTROLLERS, SET_ASIDE_PROVIDERS } from './set-aside/set-aside.module';
import { SUSPENSE_SENDING_CONTROLLERS, SUSPENSE_SENDING_PROVIDERS } from './suspense-sending/sending.module';
import { ReportMessages } from './reports/reports.controller';
import { LedgerEvents } from './ledger.controller';
import { LEDGER_SETTINGS } from './ledger-settings.port';
import { GetBalanceHandler } from './ledger-account/get-balance.query';
import { GetTrialBalanceHandler } from './trial-balance/get-trial-balance.query';
import { GetDepositHandler, GetUncreditedTokensHandler, ListDepositsHandler } from './deposit/deposits.queries';
import { GetFundingCodeHandler } from './deposit/get-funding-code.query';
import { ListAccountHoldsHandler } from './hold-source/list-account-holds.query';
import { ListOpenHoldsHandler } from './ledger-account/list-open-holds.query';
import { SandboxLedgerMessages } from './sandbox.messages';
import { EndUncoveredWithdrawalsHandler } from './take-back/end-uncovered-withdrawals.command';
import { PollTakenBackPixHandler } from './take-back/poll-taken-back-pix.command';
import { SettleTakeBack } from './take-back/settle-take-back.service';
import { TakeBackDepositHandler } from './take-back/take-back-deposit.command';
import { HandleTransactionEndHandler } from './token-movement/handle-transaction-end.command';
import { PostTokenMovementHandler } from './token-movement/post-token-movement.command';
import { ReceiveTokenMovementHandler } from './token-movement/receive-token-movement.command';
import { LEDGER_POLICIES } from './ledger.policies';
import { TOKEN_DEPOSIT_PROVIDERS } from './token-deposit/token-deposit.module';
import {
  ADDRESS_SCREENING_CONTROLLERS,
  ADDRESS_SCREENING_PROVIDERS,
} from './address-screening/address-screening.module';
import { PIX_CHARGE_PROVIDERS } from './pix-charge/pix-charge.module';
import { WITHDRAWAL_PROVIDERS } from './withdrawal/withdrawal.module';

const COMMANDS = [
  PlaceHoldHandler,
  ReleaseHoldHandler,
  PostExchangeHandler,
  ReturnDepositHandler,
  PostHouseLossHandler,
  PostTokenMovementHandler,
  HandleTransactionEndHandler,
  ReceiveTokenMovementHandler,
  AdvanceDepositHandler,
  ResumeDepositsHandler,
  ResumeReturnsHandler,
  TakeBackDepositHandler,
  EndUncoveredWithdrawalsHandler,
  PollTakenBackPixHandler,
];
const QUERIES = [
  GetBalanceHandler,
  ListDepositsHandler,
  GetDepositHandler,
  GetUncreditedTokensHandler,
  GetFundingCodeHandler,
  ListOpenHoldsHandler,
  ListAccountHoldsHandler,
  GetTrialBalanceHandler,
];

/** The largest number of events per batch of the projectors under load. */
const BATCH_SIZE = 1_024;

@Module({
  controllers: [
    LedgerEvents,
    LedgerAccountMessages,
    PixChargeMessages,
    WithdrawalMessages,
    UsdDepositMessages,
    DepositMessages,
    ReportMessages,
    ...ADDRESS_SCREENING_CONTROLLERS,
    ...SUSPENSE_CONTROLLERS,
    ...SET_ASIDE_CONTROLLERS,
    ...SUSPENSE_SENDING_CONTROLLERS,
  ],
  providers: [
    {
      provide: LEDGER_SETTINGS,
      useFactory: ({ environment }: Runtime) => readLedgerConfig(process.env, environment),
      inject: [RUNTIME],
    },
    Accounts,
    LedgerAccounts,
    Deposits,
    ValidateDeposit,
    PersonSealing,
    BankPolls,
    SendReturn,
    ResumeDeposit,
    SettleTakeBack,
    ...ADDRESS_SCREENING_PROVIDERS,
    ...PIX_CHARGE_PROVIDERS,
    ...WITHDRAWAL_PROVIDERS,
    ...TOKEN_DEPOSIT_PROVIDERS,
    ...SUSPENSE_PROVIDERS,
    ...SET_ASIDE_PROVIDERS,
    ...SUSPENSE_SENDING_PROVIDERS,
    ...COMMANDS,
    ...QUERIES,
    ...providePolicies('ledger', LEDGER_POLICIES),
    SandboxLedgerMessages,
    ...provideReadModels(LEDGER_READ_MODELS, { batchSize: BATCH_SIZE }),
    LedgerTimers,
    LedgerMetrics,
  ],
})
export class LedgerModule {}

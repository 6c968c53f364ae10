import type { DynamicModule, Provider } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { Clock } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { Environment, Runtime } from '@ponte/nest';
import { RUNTIME, SYSTEM_CLOCK, TIMERS, READ_MODELS } from '@ponte/nest';
import { oidcProvider } from './staff/adapters/oidc.sign-in-provider.adapter';
import { openStaffMembers } from './staff/adapters/sql.staff-members.adapter';
import { openStaffSessions } from './staff/adapters/sql.staff-sessions.adapter';
import { PartnersController } from './console-api/review/partners.controller';
import { StaffRulesController } from './api/pricing-rules/staff-rules.controller';
import { BlobsModule } from './blobs.module';
import { Services } from './edge/request-context.service';
import { CaseController } from './console-api/case/case.controller';
import { MembersController } from './console-api/members/members.controller';
import { ErasuresController } from './console-api/privacy/erasures.controller';
import { PrivacyReportsController } from './console-api/privacy/reports.controller';
import { ClosingController } from './console-api/accounts/closing.controller';
import { FreezeController } from './console-api/accounts/freeze.controller';
import { StandingSteps } from './console-api/accounts/standing-steps.service';
import { DecisionsController } from './console-api/review/decisions.controller';
import { QueueController } from './console-api/review/queue.controller';
import { LocalSignInController } from './console-api/session/local-sign-in.controller';
import { OidcController } from './console-api/session/oidc.controller';
import { SessionController } from './console-api/session/session.controller';
import { FxReportsController } from './console-api/reports/fx-reports.controller';
import { UsdDepositsController } from './console-api/usd-deposits/usd-deposits.controller';
import { StaffDepositsController } from './console-api/deposits/deposits.controller';
import { RefusedPayoutsController } from './console-api/withdrawals/refused-payouts.controller';
import { DoubleReturnsController } from './console-api/deposits/double-returns.controller';
import { SetAsideController } from './console-api/deposits/set-aside.controller';
import { SendingController } from './console-api/deposits/sending.controller';
import { FailedReturnsController } from './console-api/deposits/failed-returns.controller';
import { StaffCertificatesController } from './console-api/certificates/certificates.controller';
import { AddressReviewsController } from './console-api/address-reviews/address-reviews.controller';
import { ScreeningFindingsController } from './console-api/screening-findings/screening-findings.controller';
import { StaffTransfersController } from './console-api/transfers/transfers.controller';
import { StaffWithdrawalsController } from './console-api/withdrawals/withdrawals.controller';
import { WhitelistedWalletsController } from './console-api/wallets/wallets.controller';
import { Cursors } from './pagination/cursors.service';
import { Pagination } from './pagination/pagination.pipe';
import { ShownPersonalData } from './personal-data/shown-personal-data.service';
import { SIGN_IN_PROVIDER } from './staff/provider/sign-in-provider.port';
import { STAFF_MEMBERS } from './staff/staff-members.port';
import type { StaffSessions } from './staff/staff-sessions.port';
import { STAFF_SESSIONS } from './staff/staff-sessions.port';
import { STAFF_SETTINGS } from './gateway-tokens.port';
import { SignInAttempts } from './staff/attempts.service';
import { StaffGuard } from './staff/staff.guard';
import { StaffNames } from './staff/names.service';
import { ProviderRoles } from './staff/provider/provider-roles.service';
import { StaffSignIn } from './staff/sign-in.service';
import type { StaffSettings } from './staff.config';
import { readStaffSettings } from './staff.config';

const CONTROLLERS = [
  SessionController,
  OidcController,
  QueueController,
  PartnersController,
  DecisionsController,
  CaseController,
  FreezeController,
  ClosingController,
  PrivacyReportsController,
  ErasuresController,
  WhitelistedWalletsController,
  MembersController,
  StaffWithdrawalsController,
  RefusedPayoutsController,
  AddressReviewsController,
  ScreeningFindingsController,
  StaffTransfersController,
  UsdDepositsController,
  StaffDepositsController,
  DoubleReturnsController,
  SetAsideController,
  FailedReturnsController,
  SendingController,
  StaffRulesController,
  StaffCertificatesController,
  FxReportsController,
];

/** The interval at which the rows of ended sessions are removed. */
const SWEEP_EVERY_MS = 300_000;
const PROVIDERS: readonly Provider[] = [
  Services,
  Pagination,
  Cursors,
  ShownPersonalData,
  StaffNames,
  SignInAttempts,
  StaffSignIn,
  ProviderRoles,
  StaffGuard,
  StandingSteps,
  {
    provide: STAFF_SETTINGS,
    inject: [RUNTIME],
    useFactory: ({ environment }: Runtime) => readStaffSettings(process.env, environment),
  },
  {
    provide: STAFF_SESSIONS,
    inject: [READ_MODELS],
    useFactory: (readModels: Kysely<unknown>) => openStaffSessions(readModels),
  },
  {
    provide: STAFF_MEMBERS,
    inject: [READ_MODELS],
    useFactory: (readModels: Kysely<unknown>) => openStaffMembers(readModels),
  },
  {
    provide: SIGN_IN_PROVIDER,
    inject: [STAFF_SETTINGS],
    useFactory: ({ oidc }: StaffSettings) => oidc && oidcProvider(oidc),
  },
  {
    provide: Symbol('sweeping sessions'),
    inject: [TIMERS, STAFF_SESSIONS, STAFF_SETTINGS, SYSTEM_CLOCK],
    useFactory: (timers: Timers, sessions: StaffSessions, { idleMs }: StaffSettings, clock: Clock) =>
      timers.every('gateway-staff-sweep', SWEEP_EVERY_MS, () => sessions.sweep(clock.now() - idleMs, clock.now())),
  },
];

/** The staff API: sessions, review of account requests, accounts, books and privacy. */
@Module({ imports: [BlobsModule], controllers: CONTROLLERS, providers: [...PROVIDERS], exports: [StaffGuard] })
export class StaffModule {
  /** Production has no route for sign-in by password. */
  static forEnvironment(environment: Environment): DynamicModule {
    return { module: StaffModule, controllers: environment === 'sandbox' ? [LocalSignInController] : [] };
  }
}

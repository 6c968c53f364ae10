import { randomBytes } from 'node:crypto';
import type { DynamicModule, Provider } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { GetStaffUser } from '@ponte/contracts';
import type { MessageBus, PersonalData } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { Environment, Runtime } from '@ponte/nest';
import { IDS, MESSAGE_BUS, PERSONAL_DATA, RUNTIME, SYSTEM_CLOCK, TIMERS, VIEWS } from '@ponte/nest';
import { oidcProvider } from './adapters/sign-in-provider/oidc';
import { openStaffMembers } from './adapters/staff-members/views';
import { openStaffSessions } from './adapters/staff-sessions/views';
import { StaffRulesController } from './api/pricing-rules/staff-rules.controller';
import { BlobsModule } from './blobs.module';
import { REQUEST_DEADLINE_MS, Services } from './edge/services';
import { CaseController } from './http/staff/case/case.controller';
import { MembersController } from './http/staff/members/members.controller';
import { ErasuresController } from './http/staff/privacy/erasures.controller';
import { PrivacyReportsController } from './http/staff/privacy/reports.controller';
import { FreezeController } from './http/staff/accounts/freeze.controller';
import { DecisionsController } from './http/staff/review/decisions.controller';
import { QueueController } from './http/staff/review/queue.controller';
import { LocalSignInController } from './http/staff/session/local-sign-in.controller';
import { OidcController } from './http/staff/session/oidc.controller';
import { SessionController } from './http/staff/session/session.controller';
import { FxReportsController } from './http/staff/reports/fx-reports.controller';
import { UsdDepositsController } from './http/staff/usd-deposits/usd-deposits.controller';
import { StaffDepositsController } from './http/staff/deposits/deposits.controller';
import { StaffCertificatesController } from './http/staff/certificates/certificates.controller';
import { AddressReviewsController } from './http/staff/address-reviews/address-reviews.controller';
import { StaffTransfersController } from './http/staff/transfers/transfers.controller';
import { StaffWithdrawalsController } from './http/staff/withdrawals/withdrawals.controller';
import { WhitelistedWalletsController } from './http/staff/wallets/wallets.controller';
import { Cursors } from './pagination/cursors';
import { Pagination } from './pagination/pagination';
import { SIGN_IN_PROVIDER } from './ports/sign-in-provider.port';
import type { StaffMembers } from './ports/staff-members.port';
import { STAFF_MEMBERS } from './ports/staff-members.port';
import type { StaffSessions } from './ports/staff-sessions.port';
import { STAFF_SESSIONS } from './ports/staff-sessions.port';
import { STAFF_SETTINGS } from './ports/tokens.port';
import { SignInAttempts } from './staff/attempts';
import { StaffGuard } from './staff/guard';
import { StaffNames } from './staff/names';
import { StaffSignIn } from './staff/sign-in';
import type { StaffSettings } from './staff.config';
import { readStaffSettings } from './staff.config';

const CONTROLLERS = [
  SessionController,
  OidcController,
  QueueController,
  DecisionsController,
  CaseController,
  FreezeController,
  PrivacyReportsController,
  ErasuresController,
  WhitelistedWalletsController,
  MembersController,
  StaffWithdrawalsController,
  AddressReviewsController,
  StaffTransfersController,
  UsdDepositsController,
  StaffDepositsController,
  StaffRulesController,
  StaffCertificatesController,
  FxReportsController,
];

/** Sessions end by themselves; what is left of them is cleared away now and then. */
const SWEEP_EVERY_MS = 300_000;
const SECRET_BYTES = 32;

const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

const PROVIDERS: readonly Provider[] = [
  Services,
  Pagination,
  StaffNames,
  {
    provide: STAFF_SETTINGS,
    inject: [RUNTIME],
    useFactory: ({ environment }: Runtime) => readStaffSettings(process.env, environment),
  },
  { provide: STAFF_SESSIONS, inject: [VIEWS], useFactory: (views: Kysely<unknown>) => openStaffSessions(views) },
  { provide: STAFF_MEMBERS, inject: [VIEWS], useFactory: (views: Kysely<unknown>) => openStaffMembers(views) },
  {
    provide: SIGN_IN_PROVIDER,
    inject: [STAFF_SETTINGS],
    useFactory: ({ oidc }: StaffSettings) => oidc && oidcProvider(oidc),
  },
  { provide: Cursors, inject: [PERSONAL_DATA], useFactory: (data: PersonalData) => new Cursors(data) },
  { provide: SignInAttempts, inject: [SYSTEM_CLOCK], useFactory: (clock: Clock) => new SignInAttempts(clock) },
  {
    provide: StaffSignIn,
    inject: [STAFF_SESSIONS, STAFF_MEMBERS, PERSONAL_DATA, STAFF_SETTINGS, SYSTEM_CLOCK],
    useFactory: (
      sessions: StaffSessions,
      members: StaffMembers,
      personalData: PersonalData,
      settings: StaffSettings,
      systemClock: Clock,
    ) => new StaffSignIn({ sessions, members, personalData, settings, systemClock, newSecret }),
  },
  {
    provide: StaffGuard,
    inject: [STAFF_SESSIONS, STAFF_SETTINGS, SYSTEM_CLOCK, MESSAGE_BUS, IDS],
    useFactory: (sessions: StaffSessions, settings: StaffSettings, systemClock: Clock, bus: MessageBus, ids: Ids) =>
      new StaffGuard({
        sessions,
        settings,
        systemClock,
        localUser: (staffId) => {
          const id = ids.next();
          return bus.request(
            GetStaffUser,
            { staffId },
            { commandId: id, correlationId: id, actor: 'gateway', deadline: systemClock.now() + REQUEST_DEADLINE_MS },
          );
        },
      }),
  },
  {
    provide: Symbol('sweeping sessions'),
    inject: [TIMERS, STAFF_SESSIONS, STAFF_SETTINGS, SYSTEM_CLOCK],
    useFactory: (timers: Timers, sessions: StaffSessions, { idleMs }: StaffSettings, clock: Clock) =>
      timers.every('gateway-staff-sweep', SWEEP_EVERY_MS, () => sessions.sweep(clock.now() - idleMs, clock.now())),
  },
];

/** The staff API: sessions, the review of account requests, privacy. */
@Module({ imports: [BlobsModule], controllers: CONTROLLERS, providers: [...PROVIDERS], exports: [StaffGuard] })
export class StaffModule {
  /** In production no one signs in by a password of ours: the route does not exist. */
  static forEnvironment(environment: Environment): DynamicModule {
    return { module: StaffModule, controllers: environment === 'sandbox' ? [LocalSignInController] : [] };
  }
}

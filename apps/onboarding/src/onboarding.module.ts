import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Module } from '@nestjs/common';
import type { Projector } from '@ponte/read-models';
import { runProjector } from '@ponte/read-models';
import type { Checkpoints, EventStore, Lease } from '@ponte/event-sourcing';
import type { Timers } from '@ponte/concurrency';
import type { Rewindable, Runtime } from '@ponte/nest';
import {
  CHECKPOINTS,
  EVENT_STORE,
  LEASE,
  LOGGER,
  providePolicies,
  REWINDABLE,
  RUNTIME,
  TIMERS,
  VIEW_CHECKPOINTS,
  VIEWS,
} from '@ponte/nest';
import type { Logger } from 'pino';
import { ACCOUNT_FREEZE } from './account-freeze';
import { AccountFreezeMessages } from './account-freeze/account-freeze.controller';
import { ACCOUNTS_READER, REQUESTS_READER } from './adapters/rebuild';
import { createUnreferencedFiles } from './adapters/views/unreferenced-files';
import { createReviewQueue } from './adapters/views/review-queue';
import { accountRequestsTable, accountsTable, evidenceFilesTable } from './adapters/views/tables';
import { openUnsettledReservations } from './adapters/views/unsettled-reservations';
import { eip191 } from './adapters/wallet-proofs/eip191';
import { ChecksModule } from './checks.module';
import { COMMANDS } from './commands';
import { NoteRequestTraitsHandler } from './duplicates/note-request-traits.command';
import { RequestTraits } from './duplicates/request-traits';
import { DueWork } from './commands/due-work';
import { SweepBlobs } from './commands/sweep-blobs';
import { OnboardingMessages } from './messages.controller';
import { readOnboardingConfig } from './onboarding.config';
import { POLICIES } from './policies';
import { ACCOUNT_REQUESTS_TABLE, REVIEW_QUEUE } from './ports/account-requests-table';
import { ACCOUNTS_TABLE } from './ports/accounts-table';
import { EVIDENCE_FILES_TABLE, UNREFERENCED_FILES } from './ports/evidence-files-table';
import type { OnboardingSettings } from './ports/settings';
import { ONBOARDING_SETTINGS_OF } from './ports/settings';
import { UNSETTLED_RESERVATIONS } from './ports/unsettled-reservations';
import { WALLET_PROOFS } from './ports/wallet-proofs';
import { QUERIES } from './queries';
import { AccountRequestMessages } from './requests.controller';
import { ReviewMessages } from './review.controller';
import { VIEW_CLASSES } from './views';
import { CatchUpAccounts } from './views/catch-up-accounts';
import { CatchUpOnboarding } from './views/catch-up-onboarding';
import { OWN_WALLETS_READER, OwnWallets } from './views/own-wallets';

@Module({
  imports: [ChecksModule],
  controllers: [OnboardingMessages, AccountRequestMessages, ReviewMessages, AccountFreezeMessages],
  providers: [
    {
      provide: ONBOARDING_SETTINGS_OF,
      useFactory: ({ environment }: Runtime) => readOnboardingConfig(process.env, environment),
      inject: [RUNTIME],
    },
    { provide: ACCOUNTS_TABLE, useFactory: accountsTable, inject: [VIEWS] },
    { provide: ACCOUNT_REQUESTS_TABLE, useFactory: accountRequestsTable, inject: [VIEWS] },
    { provide: EVIDENCE_FILES_TABLE, useFactory: evidenceFilesTable, inject: [VIEWS] },
    { provide: REVIEW_QUEUE, useFactory: createReviewQueue, inject: [VIEWS] },
    { provide: UNREFERENCED_FILES, useFactory: createUnreferencedFiles, inject: [VIEWS] },
    { provide: UNSETTLED_RESERVATIONS, useFactory: openUnsettledReservations, inject: [VIEWS] },
    { provide: WALLET_PROOFS, useValue: eip191 },
    ...VIEW_CLASSES,
    ...ACCOUNT_FREEZE,
    RequestTraits,
    NoteRequestTraitsHandler,
    ...COMMANDS,
    ...QUERIES,
    ...providePolicies('onboarding', POLICIES),
  ],
})
export class OnboardingModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private catchUps: readonly Projector[] = [];

  constructor(
    private readonly accounts: CatchUpAccounts,
    private readonly rest: CatchUpOnboarding,
    private readonly ownWallets: OwnWallets,
    private readonly due: DueWork,
    private readonly orphans: SweepBlobs,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(VIEW_CHECKPOINTS) private readonly viewCheckpoints: Checkpoints,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(REWINDABLE) private readonly rewindable: Rewindable,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TIMERS) private readonly timers: Timers,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
  ) {}

  onApplicationBootstrap(): void {
    const { store, checkpoints, viewCheckpoints, lease, logger } = this;
    const engines = { store, checkpoints, lease, logger };
    const ownWallets = runProjector({
      ...engines,
      name: OWN_WALLETS_READER,
      categories: OwnWallets.categories,
      apply: ({ events }) => this.ownWallets.apply(events),
    });
    this.rewindable.set(OWN_WALLETS_READER, ownWallets);
    this.catchUps = [
      ownWallets,
      runProjector({
        ...engines,
        name: ACCOUNTS_READER,
        checkpoints: viewCheckpoints,
        categories: CatchUpAccounts.categories,
        apply: ({ events }) => this.accounts.apply(events),
      }),
      runProjector({
        ...engines,
        name: REQUESTS_READER,
        checkpoints: viewCheckpoints,
        categories: CatchUpOnboarding.categories,
        apply: ({ events }) => this.rest.apply(events),
      }),
    ];
    this.timers.every('onboarding-due-work', this.settings.dueEveryMs, (signal) => this.due.run(signal));
    this.timers.every('onboarding-sweep-blobs', this.settings.sweepEveryMs, (signal) => this.orphans.run(signal));
  }

  /** Before the engines close. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.catchUps.map((projector) => projector.stop()));
  }
}

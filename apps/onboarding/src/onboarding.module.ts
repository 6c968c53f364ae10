import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Module } from '@nestjs/common';
import type { Projector } from '@ponte/read-models';
import { runProjector } from '@ponte/read-models';
import type { Checkpoints, EventStore, Lease } from '@ponte/event-sourcing';
import type { Rewindable, Runtime } from '@ponte/nest';
import {
  CHECKPOINTS,
  EVENT_STORE,
  LEASE,
  LOGGER,
  providePolicies,
  provideReadModels,
  REWINDABLE,
  RUNTIME,
} from '@ponte/nest';
import type { Logger } from 'pino';
import { AccountClosingMessages } from './account-closing/account-closing.controller';
import { AccountFreezeMessages } from './account-freeze/account-freeze.controller';
import { ONBOARDING_READ_MODELS } from './onboarding.read-models';
import { UnsettledReservations } from './reservation/unsettled-reservations.read-model';
import { eip191 } from './wallet/eip191.wallet-proofs.adapter';
import { ChecksModule } from './checks.module';
import { COMMANDS } from './onboarding.commands';
import { RequestTraits } from './duplicates/request-traits.service';
import { OnboardingEvents, OnboardingMessages } from './onboarding.controller';
import { readOnboardingConfig } from './onboarding.config';
import { OnboardingTimers } from './onboarding.timers';
import { POLICIES } from './onboarding.policies';
import {
  ONGOING_SCREENING_CONTROLLERS,
  ONGOING_SCREENING_PROVIDERS,
} from './ongoing-screening/ongoing-screening.module';
import { ONBOARDING_SETTINGS_OF } from './onboarding-settings.port';
import { WALLET_PROOFS } from './wallet/wallet-proofs.port';
import { QUERIES } from './onboarding.queries';
import { AccountRequestMessages } from './request-intake/requests.controller';
import { ReviewMessages } from './review/review.controller';
import { RelatedFindingsReader } from './review/related-findings-reader.service';
import { QueueItems } from './review/queue-items.service';
import { OWN_WALLETS_READER, OwnWallets } from './wallet/own-wallets.service';
import { WalletReservations } from './wallet/wallet-reservations.service';

@Module({
  imports: [ChecksModule],
  controllers: [
    OnboardingMessages,
    OnboardingEvents,
    AccountRequestMessages,
    ReviewMessages,
    AccountFreezeMessages,
    AccountClosingMessages,
    ...ONGOING_SCREENING_CONTROLLERS,
  ],
  providers: [
    {
      provide: ONBOARDING_SETTINGS_OF,
      useFactory: ({ environment }: Runtime) => readOnboardingConfig(process.env, environment),
      inject: [RUNTIME],
    },
    UnsettledReservations,
    { provide: WALLET_PROOFS, useValue: eip191 },
    ...provideReadModels(ONBOARDING_READ_MODELS, { lingerMs: 0 }),
    OwnWallets,
    WalletReservations,
    QueueItems,
    RequestTraits,
    RelatedFindingsReader,
    ...COMMANDS,
    ...ONGOING_SCREENING_PROVIDERS,
    ...QUERIES,
    ...providePolicies('onboarding', POLICIES),
    OnboardingTimers,
  ],
})
export class OnboardingModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private reading: Projector | undefined;

  constructor(
    private readonly ownWallets: OwnWallets,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(REWINDABLE) private readonly rewindable: Rewindable,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { store, checkpoints, lease, logger } = this;
    this.reading = runProjector({
      ...{ store, checkpoints, lease, logger },
      name: OWN_WALLETS_READER,
      categories: OwnWallets.categories,
      apply: ({ events }) => this.ownWallets.apply(events),
    });
    this.rewindable.set(OWN_WALLETS_READER, this.reading);
  }

  /** Runs before the engines close. */
  async onApplicationShutdown(): Promise<void> {
    await this.reading?.stop();
  }
}

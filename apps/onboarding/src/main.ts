import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { ONBOARDING_VIEWS } from './onboarding.views';
import { OnboardingModule } from './onboarding.module';
import { OWN_WALLETS_READER } from './wallet/own-wallets';

runService({
  service: 'onboarding',
  module: () => OnboardingModule,
  views: ONBOARDING_VIEWS,
  relays: [OWN_WALLETS_READER],
});

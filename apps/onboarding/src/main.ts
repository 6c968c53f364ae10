import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { ONBOARDING_REBUILDABLE } from './onboarding.read-models';
import { ONBOARDING } from './onboarding.config';
import { OnboardingModule } from './onboarding.module';
import { OWN_WALLETS_READER } from './wallet/own-wallets.service';

runService({
  service: 'onboarding',
  settings: ONBOARDING,
  module: () => OnboardingModule,
  readModels: ONBOARDING_REBUILDABLE,
  relays: [OWN_WALLETS_READER],
});

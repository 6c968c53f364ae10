import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { ONBOARDING_VIEWS } from './adapters/rebuild';
import { OnboardingModule } from './onboarding.module';

runService({ service: 'onboarding', module: () => OnboardingModule, views: ONBOARDING_VIEWS });

import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { OnboardingModule } from './onboarding.module';

runService({ service: 'onboarding', module: () => OnboardingModule });

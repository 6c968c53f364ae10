import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { PRICING } from './pricing.config';
import { PricingModule } from './pricing.module';

runService({ service: 'pricing', settings: PRICING, module: () => PricingModule });

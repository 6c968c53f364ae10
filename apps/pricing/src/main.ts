import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { PricingModule } from './pricing.module';

runService({ service: 'pricing', module: () => PricingModule });

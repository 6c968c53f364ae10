import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { MOVEMENTS_VIEWS } from './movements.views';
import { MovementsModule } from './movements.module';
import { DEPOSIT_SCANS } from './token-deposits/deposit-scans';

runService({
  service: 'movements',
  module: () => MovementsModule,
  views: MOVEMENTS_VIEWS,
  timeReaders: DEPOSIT_SCANS,
});

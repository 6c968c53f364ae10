import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { MOVEMENTS_REBUILDABLE } from './movements.read-models';
import { MOVEMENTS } from './movements.config';
import { MovementsModule } from './movements.module';
import { DEPOSIT_SCANS } from './token-deposits/deposit-scans';

runService({
  service: 'movements',
  settings: MOVEMENTS,
  module: () => MovementsModule,
  readModels: MOVEMENTS_REBUILDABLE,
  timeReaders: DEPOSIT_SCANS,
});

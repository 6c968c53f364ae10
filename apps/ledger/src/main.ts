import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { LEDGER_REBUILDABLE } from './ledger.read-models';
import { BANK_READERS } from './bank-readers';
import { LedgerModule } from './ledger.module';

runService({
  service: 'ledger',
  module: () => LedgerModule,
  readModels: LEDGER_REBUILDABLE,
  timeReaders: BANK_READERS,
});

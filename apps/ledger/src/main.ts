import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { LEDGER_REBUILDABLE } from './ledger.read-models';
import { BANK_READERS } from './bank-readers';
import { LEDGER } from './ledger.config';
import { LedgerModule } from './ledger.module';

runService({
  service: 'ledger',
  settings: LEDGER,
  module: () => LedgerModule,
  readModels: LEDGER_REBUILDABLE,
  timeReaders: BANK_READERS,
});

import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { LEDGER_VIEWS } from './ledger.views';
import { BANK_READERS } from './bank-readers';
import { LedgerModule } from './ledger.module';

runService({ service: 'ledger', module: () => LedgerModule, views: LEDGER_VIEWS, timeReaders: BANK_READERS });

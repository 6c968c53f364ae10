import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { LEDGER_VIEWS } from './rebuild.adapter';
import { RECEIVED_PIX } from './received-pix';
import { LedgerModule } from './ledger.module';

runService({ service: 'ledger', module: () => LedgerModule, views: LEDGER_VIEWS, timeReaders: [RECEIVED_PIX] });

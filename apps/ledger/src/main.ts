import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { LEDGER_VIEWS } from './adapters/rebuild';
import { RECEIVED_PIX } from './received-pix';
import { LedgerModule } from './ledger.module';

runService({ service: 'ledger', module: () => LedgerModule, views: LEDGER_VIEWS, timeReaders: [RECEIVED_PIX] });

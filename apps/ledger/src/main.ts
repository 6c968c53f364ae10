import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { LedgerModule } from './ledger.module';

runService({ service: 'ledger', module: () => LedgerModule });

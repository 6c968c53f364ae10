import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { MOVEMENTS_VIEWS } from './rebuild.adapter';
import { MovementsModule } from './movements.module';

runService({ service: 'movements', module: () => MovementsModule, views: MOVEMENTS_VIEWS });

import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { MovementsModule } from './movements.module';

runService({ service: 'movements', module: () => MovementsModule });

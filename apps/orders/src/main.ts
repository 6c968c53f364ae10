import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { OrdersModule } from './orders.module';

runService({ service: 'orders', module: () => OrdersModule });

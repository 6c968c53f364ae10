import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { ORDERS_VIEWS } from './adapters/rebuild';
import { OrdersModule } from './orders.module';

runService({ service: 'orders', module: () => OrdersModule, views: ORDERS_VIEWS });

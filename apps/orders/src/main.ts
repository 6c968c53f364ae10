import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { ORDERS_VIEWS } from './orders.views';
import { OrdersModule } from './orders.module';

runService({ service: 'orders', module: () => OrdersModule, views: ORDERS_VIEWS });

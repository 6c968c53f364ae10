import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { ORDERS_REBUILDABLE } from './orders.read-models';
import { OrdersModule } from './orders.module';

runService({ service: 'orders', module: () => OrdersModule, readModels: ORDERS_REBUILDABLE });

import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { ORDERS_REBUILDABLE } from './orders.read-models';
import { ORDERS } from './orders.config';
import { OrdersModule } from './orders.module';

runService({ service: 'orders', settings: ORDERS, module: () => OrdersModule, readModels: ORDERS_REBUILDABLE });

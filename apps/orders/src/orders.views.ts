import { rebuildableViews } from '@ponte/nest';
import { OrderReadModel } from './order/orders.read-model';

export const ORDERS_READ_MODELS = [OrderReadModel];

/** What this service shows, and how it is rebuilt. */
export const ORDERS_VIEWS = rebuildableViews(ORDERS_READ_MODELS);

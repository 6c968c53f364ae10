import { rebuildableReadModels } from '@ponte/nest';
import { OrderDecisions } from './order/order-decisions.read-model';
import { OrderReadModel } from './order/orders.read-model';

export const ORDERS_READ_MODELS = [OrderReadModel, OrderDecisions];

/** The read models of this service, for the rebuild command. */
export const ORDERS_REBUILDABLE = rebuildableReadModels(ORDERS_READ_MODELS);

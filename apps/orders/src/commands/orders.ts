import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { order } from '../domain/order/order';
import type { OrderReadModel } from '../ports/order-read-model';
import { ORDER_READ_MODEL } from '../ports/order-read-model';
import { rowOf } from '../views/orders';

/** The streams of orders. */
@Injectable()
export class Orders extends defineRepository(order, {
  readModel: ORDER_READ_MODEL,
  show: (readModel: OrderReadModel, { state, revision }) => {
    const row = rowOf(state, revision);
    return row && readModel.put(row);
  },
}) {}

import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { order } from './order.decider';
import { OrderReadModel } from './orders.read-model';

@Injectable()
export class Orders extends defineRepository(order, OrderReadModel) {}

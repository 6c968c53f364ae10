import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CheckAcceptance, GetOrder, ListOrders, PlaceOrder } from '@ponte/contracts';
import { Services } from '../../edge/services';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination';
import { Operation, Resource } from '../../openapi/operation';
import { QrCodes } from '../../qr/qr-codes';
import type { OrderEnvelopeDto, OrderRequestDto, OrdersDto, OrdersQuery } from './order.dto';
import { orderDto, orderFilters, placeOrderPayload } from './order.mapper';
import { LISTING, PLACING, READING } from './orders.operations';
import { PathId } from '../path';
import { PixKeys } from './pix-key';

/** Orders. v0 acts on the account of the API key, v1 on the account in the path. */
@Resource('api', 'orders')
export class OrdersController {
  constructor(
    private readonly services: Services,
    private readonly qrCodes: QrCodes,
    private readonly pixKeys: PixKeys,
  ) {}

  @Operation({
    ...PLACING,
    id: 'create-order',
    summary: 'Accept a quote',
    reach: 'account',
    v0: { path: 'v0/orders', summary: "Accept a quote on the key's own account" },
  })
  @Post('v1/accounts/:accountId/orders')
  async place(@Req() { call, body }: FastifyRequest): Promise<OrderEnvelopeDto> {
    const request = body as OrderRequestDto;
    const text = request['target-end-user-pix-key'];
    const pixKey = text === undefined ? null : await this.pixKeys.seal(text, 'target-end-user-pix-key', call.dryRun);
    const definition = call.dryRun ? CheckAcceptance : PlaceOrder;
    const order = await this.services.request(definition, placeOrderPayload(request, call, pixKey), call);
    return { order: orderDto(order, this.qrCodes) };
  }

  @Operation({
    ...LISTING,
    id: 'list-orders',
    summary: 'List the orders of an account',
    reach: 'account',
    v0: { path: 'v0/orders', summary: "List the orders of the key's own account" },
  })
  @Get('v1/accounts/:accountId/orders')
  async list(@Listed() list: ListRequest<OrdersQuery>): Promise<OrdersDto> {
    const { accountId } = list.call;
    const orders = await list.find(ListOrders, { accountId, filters: orderFilters(list.query) });
    return { orders: orders.map((order) => orderDto(order, this.qrCodes)) };
  }

  @Operation({
    ...READING,
    id: 'get-order',
    summary: 'Get an order of an account',
    reach: 'account',
    v0: { path: 'v0/orders/:id', summary: "Get an order of the key's own account" },
  })
  @Get('v1/accounts/:accountId/orders/:id')
  async get(@PathId('order-not-found') orderId: string, @Req() { call }: FastifyRequest): Promise<OrderEnvelopeDto> {
    const order = await this.services.request(GetOrder, { accountId: call.accountId, orderId }, call);
    return { order: orderDto(found(order, 'order-not-found'), this.qrCodes) };
  }
}

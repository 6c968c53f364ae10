import { Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckAcceptance, GetOrder, ListOrders, PlaceOrder } from '@ponte/contracts';
import { isUuid } from '@ponte/kernel';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import { Pagination } from '../../pagination/pagination';
import { Operation, Resource } from '../../openapi/operation';
import { QrCodes } from '../../qr/qr-codes';
import type { OrderEnvelopeDto, OrderRequestDto, OrdersDto, OrdersQuery } from './order.dto';
import { orderDto, orderFilters, placeOrderPayload } from './order.mapper';
import { LISTING, PLACING, READING } from './orders.operations';
import { PixKeys } from './pix-key';

const V1 = '/api/v1/accounts/:accountId/orders';

/** Orders in both versions: v0 acts on the key's own account, v1 on the one of the path. */
@Resource('api', 'orders')
export class OrdersController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
    private readonly qrCodes: QrCodes,
    private readonly pixKeys: PixKeys,
  ) {}

  @Operation({ ...PLACING, id: 'create-order', summary: 'Accept a quote', reach: 'account' })
  @Post('v1/accounts/:accountId/orders')
  async place(@Req() { call, body }: FastifyRequest): Promise<OrderEnvelopeDto> {
    const request = body as OrderRequestDto;
    const text = request['target-end-user-pix-key'];
    const pixKey = text === undefined ? null : await this.pixKeys.seal(text, 'target-end-user-pix-key', call.dryRun);
    const definition = call.dryRun ? CheckAcceptance : PlaceOrder;
    const order = await this.services.request(definition, placeOrderPayload(request, call, pixKey), call);
    return { order: orderDto(order, this.qrCodes) };
  }

  @Operation({ ...LISTING, id: 'list-orders', summary: 'Orders of an account', reach: 'account' })
  @Get('v1/accounts/:accountId/orders')
  async list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<OrdersDto> {
    const { call } = request;
    const page = await this.services.request(
      ListOrders,
      {
        accountId: call.accountId,
        filters: orderFilters(request.query as OrdersQuery),
        page: this.pagination.page(request),
      },
      call,
    );
    return { orders: this.pagination.items(page, request, reply).map((order) => orderDto(order, this.qrCodes)) };
  }

  @Operation({ ...READING, id: 'get-order', summary: 'One order of an account', reach: 'account' })
  @Get('v1/accounts/:accountId/orders/:id')
  async get(@Req() { call, params }: AccountRequest): Promise<OrderEnvelopeDto> {
    const orderId = params['id'];
    const order = isUuid(orderId)
      ? await this.services.request(GetOrder, { accountId: call.accountId, orderId }, call)
      : null;
    if (!order) throw notFound('order-not-found');
    return { order: orderDto(order, this.qrCodes) };
  }

  @Operation({
    ...PLACING,
    id: 'create-order-v0',
    summary: "Accept a quote on the key's own account",
    reach: 'own',
    successor: V1,
  })
  @Post('v0/orders')
  placeV0(@Req() request: FastifyRequest): Promise<OrderEnvelopeDto> {
    return this.place(request);
  }

  @Operation({
    ...LISTING,
    id: 'list-orders-v0',
    summary: "Orders of the key's own account",
    reach: 'own',
    successor: V1,
  })
  @Get('v0/orders')
  listV0(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<OrdersDto> {
    return this.list(request, reply);
  }

  @Operation({
    ...READING,
    id: 'get-order-v0',
    summary: "One order of the key's own account",
    reach: 'own',
    successor: `${V1}/:id`,
  })
  @Get('v0/orders/:id')
  getV0(@Req() request: AccountRequest): Promise<OrderEnvelopeDto> {
    return this.get(request);
  }
}

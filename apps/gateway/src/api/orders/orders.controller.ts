import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CheckAcceptance, GetOrder, ListOrders, PlaceOrder } from '@ponte/contracts';
import type { OrderFilters, OrderRecord, PlaceOrderPayload } from '@ponte/contracts';
import { fromWire, toWire, toWireIfSet } from '@ponte/kernel';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { Operation, Resource } from '../../openapi/operation';
import { QrCodes } from '../../qr/qr-codes';
import type { OrderEnvelopeDto, OrderRequestDto, OrdersDto, OrdersQuery, DeliveryDto, OrderDto } from './order.dto';
import { LISTING, PLACING, READING } from './orders.operations';
import { PathId } from '../path';
import { PixKeys } from './pix-key.service';
import type { Call } from '../../edge/request-context.service';

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
    summary: 'Place an order by accepting a quote',
    reach: 'account',
    v0: { path: 'v0/orders', summary: "Place an order on the key's own account by accepting a quote" },
  })
  @Post('v1/accounts/:accountId/orders')
  async place(@Req() { call, body }: FastifyRequest): Promise<OrderEnvelopeDto> {
    const request = body as OrderRequestDto;
    const text = request['target-end-user-pix-key'];
    const pixKey = text === undefined ? null : await this.pixKeys.seal(text, call.dryRun);
    const definition = call.dryRun ? CheckAcceptance : PlaceOrder;
    const order = await this.services.request(definition, placeOrderPayload(request, call, pixKey), call);
    return { order: orderDto(order, this.imageOf(order)) };
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
    const listed: OrderDto[] = [];
    for (const order of orders) listed.push(orderDto(order, await this.listedImageOf(order)));
    return { orders: listed };
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
    const known = found(order, 'order-not-found');
    return { order: orderDto(known, this.imageOf(known)) };
  }

  private imageOf({ brcode }: OrderRecord): string | null {
    return brcode === null ? null : this.qrCodes.pngBase64(brcode);
  }

  /** Only of a code that can still be paid, because the others of a long list would take long to draw. */
  private async listedImageOf({ brcode, state }: OrderRecord): Promise<string | null> {
    return brcode === null || state !== 'created' ? null : this.qrCodes.pngBase64OfList(brcode);
  }
}

/** `pixKey` is the sealed `target-end-user-pix-key`, or `invalid`. */
const placeOrderPayload = (
  body: OrderRequestDto,
  call: Call,
  pixKey: PlaceOrderPayload['targetEndUserPixKey'],
): PlaceOrderPayload => ({
  callerAccountId: call.caller?.accountId ?? '',
  accountId: call.accountId,
  ...fromWire(body, 'quoteId', 'sourceWalletAddress', 'targetWalletAddress', 'externalId'),
  targetEndUserPixKey: pixKey,
  sourcePaymentMethod: body['source-payment-method'] ?? 'account-balance',
  keyHash: call.key?.scope ?? null,
});

const orderFilters = (query: OrdersQuery): OrderFilters =>
  fromWire(query, 'state', 'quoteId', 'sourceAsset', 'targetAsset', 'externalId');

const deliveryDto = ({ state, reason }: NonNullable<OrderRecord['delivery']>): DeliveryDto => ({
  state,
  ...(reason === null ? {} : { reason }),
});

/**
 * Fields that do not apply are absent. `tx-hash` and `deposit-id` are null until they are known, and absent for an
 * order that was rolled back without them.
 */
const orderDto = (order: OrderRecord, image: string | null): OrderDto => ({
  ...toWire(order, 'id', 'quoteId', 'state', 'stateUpdatedAt', 'createdAt', 'sourceAsset', 'targetAsset'),
  ...toWire(order, 'sourceAmount', 'targetAmount', 'baseRate', 'effectiveRate', 'feeAmount', 'feeAsset'),
  ...(order.txHash === null && order.state === 'rolled-back' ? {} : { 'tx-hash': order.txHash }),
  ...toWireIfSet(order, 'brcode'),
  ...(image === null ? {} : { 'qr-code-base64': image }),
  ...toWireIfSet(order, 'expiration'),
  ...(order.brcode === null || (order.depositId === null && order.state === 'rolled-back')
    ? {}
    : { 'deposit-id': order.depositId }),
  ...toWireIfSet(order, 'rateLock', 'sourceWalletAddress', 'targetWalletAddress', 'externalId'),
  ...(order.delivery === null ? {} : { 'withdrawal-id': order.withdrawalId, delivery: deliveryDto(order.delivery) }),
  ...toWireIfSet(order, 'failure'),
});

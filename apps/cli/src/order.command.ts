import { Command } from 'commander';
import type { Answer, Body } from '@ponte/sdk';
import { fields, printable } from './output';
import type { Host } from './session';
import { keyOf, Session } from './session';
import { waitFor } from './wait';

export type Order = Answer<'get-order'>['order'];

interface OrderOptions {
  readonly pix?: boolean;
  readonly sourceWallet?: string;
  readonly targetWallet?: string;
  readonly pixKey?: string;
  readonly externalId?: string;
  readonly idempotencyKey?: string;
  readonly wait?: boolean;
}

export const hasEnded = ({ state }: Order): boolean => state === 'completed' || state === 'rolled-back';

export const orderCommands = (host: Host): Command[] => [
  new Command('order')
    .description('place an order by accepting a quote')
    .argument('<quote-id>')
    .option('--pix', 'pay with a Pix code instead of the balance')
    .option('--source-wallet <address>', 'the wallet to take the tokens from')
    .option(
      '--target-wallet <address>',
      "the wallet to send the tokens to (default: the account's first wallet on the chain)",
    )
    .option('--pix-key <key>', 'the Pix key to send the BRL to')
    .option('--external-id <id>', 'your own id for the order')
    .option('--idempotency-key <key>', 'the idempotency key of an earlier request, to repeat it safely')
    .option('--wait', 'wait until the order has ended before printing it')
    .action(async (quoteId: string, options: OrderOptions, command: Command) => {
      const { ponte, accountId, output, signal } = Session.of(host, command);
      const created = await ponte.createOrder(accountId, bodyOf(quoteId, options), { signal, ...keyOf(options) });
      const { id, brcode } = created.order;
      const read = async (): Promise<Order> => (await ponte.getOrder(accountId, id, { signal })).order;
      // Shown before the wait, because the order may have to be paid, and the wait may fail.
      if (options.wait) output.note(placedText(created.order), { 'order-id': id, ...(brcode ? { brcode } : {}) });
      const order = options.wait ? await waitFor(`the order ${id} to end`, read, hasEnded, signal) : created.order;
      output.result(order, () => orderText(order));
    }),
];

const placedText = ({ id, brcode }: Order): string =>
  printable(`The order ${id} is placed. Waiting until it has ended.${brcode ? ` Pay this Pix code: ${brcode}` : ''}`);

/** Formats an order for people, without the image of its QR code. */
export function orderText(order: Order): string {
  const { 'qr-code-base64': _picture, ...shown } = order as Order & Record<string, unknown>;
  const payable = order.state === 'created' && order.brcode;
  return `${fields(shown)}${payable ? `\nPay it in the sandbox: ponte pay ${order.id}` : ''}`;
}

const bodyOf = (quoteId: string, options: OrderOptions): Body<'create-order'> => ({
  'quote-id': quoteId,
  ...(options.pix ? { 'source-payment-method': 'brcode' as const } : {}),
  ...(options.sourceWallet === undefined ? {} : { 'source-wallet-address': options.sourceWallet }),
  ...(options.targetWallet === undefined ? {} : { 'target-wallet-address': options.targetWallet }),
  ...(options.pixKey === undefined ? {} : { 'target-end-user-pix-key': options.pixKey }),
  ...(options.externalId === undefined ? {} : { 'external-id': options.externalId }),
});

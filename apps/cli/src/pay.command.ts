import { Command } from 'commander';
import type { Body } from '@ponte/sdk';
import { usage } from './failures';
import type { Host } from './session';
import { keyOf, Session } from './session';

interface PayOptions {
  readonly brcode?: string;
  readonly amount?: string;
  readonly payer?: string;
  readonly idempotencyKey?: string;
}

/** `pay` works only in the sandbox. */
export const payCommand = (host: Host): Command =>
  new Command('pay')
    .description('pay an order or a Pix code, or fund the account, in the sandbox')
    .argument('[order-id]', 'the order to pay; it must have a Pix code')
    .option('--brcode <code>', 'the copy-and-paste Pix code to pay')
    .option('--amount <amount>', 'the amount in BRL (default: the amount of the code)')
    .option('--payer <tax-id>', "the payer's CPF or CNPJ (default: the account holder's)")
    .option('--idempotency-key <key>', 'the idempotency key of an earlier request, to repeat it safely')
    .action(async (orderId: string | undefined, options: PayOptions, command: Command) => {
      const session = Session.of(host, command);
      const body = await bodyOf(session, orderId, options);
      const { 'pix-payment': paid } = await session.ponte.simulatePixPayment(body, {
        signal: session.signal,
        ...keyOf(options),
      });
      session.output.result(paid, () => `Paid ${paid.amount} BRL at ${paid['settled-at']} (${paid['end-to-end-id']}).`);
    });

async function bodyOf(
  session: Session,
  orderId: string | undefined,
  { brcode, amount, payer }: PayOptions,
): Promise<Body<'simulate-pix-payment'>> {
  if (orderId !== undefined && brcode !== undefined) throw usage('Pass an order id or --brcode, not both.');
  const more = {
    ...(amount === undefined ? {} : { amount }),
    ...(payer === undefined ? {} : { 'payer-tax-id': payer }),
  };
  const code = orderId === undefined ? brcode : await codeOf(session, orderId);
  if (code !== undefined) return { brcode: code, ...more };
  if (amount === undefined) throw usage('Pass an order id or --brcode to pay it, or --amount to fund the account.');
  return { 'account-id': session.accountId, ...more };
}

async function codeOf({ ponte, accountId, signal }: Session, orderId: string): Promise<string> {
  const { order } = await ponte.getOrder(accountId, orderId, { signal });
  if (!order.brcode)
    throw usage(
      `The order ${orderId} has no Pix code.`,
      'Place an order by Pix code with: ponte order <quote-id> --pix.',
    );
  return order.brcode;
}

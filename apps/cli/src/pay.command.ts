import { Command } from 'commander';
import type { Body } from '@ponte/sdk';
import { usage } from './failures';
import type { Host } from './session';
import { Session } from './session';

interface PayOptions {
  readonly brcode?: string;
  readonly amount?: string;
  readonly payer?: string;
}

/** `pay`, in the sandbox alone. */
export const payCommand = (host: Host): Command =>
  new Command('pay')
    .description('pay by Pix in the sandbox: an order, a code, or the account itself')
    .argument('[order-id]', 'an order with a Pix code')
    .option('--brcode <code>', 'a copy-and-paste code')
    .option('--amount <amount>', 'how much; the amount of the code when absent')
    .option('--payer <tax-id>', "CPF or CNPJ of the payer; the account holder's when absent")
    .action(async (orderId: string | undefined, options: PayOptions, command: Command) => {
      const session = Session.of(host, command);
      const body = await bodyOf(session, orderId, options);
      const { 'pix-payment': paid } = await session.ponte.simulatePixPayment(body, { signal: session.signal });
      session.output.result(paid, () => `Paid ${paid.amount} BRL at ${paid['settled-at']} (${paid['end-to-end-id']}).`);
    });

async function bodyOf(
  session: Session,
  orderId: string | undefined,
  { brcode, amount, payer }: PayOptions,
): Promise<Body<'simulate-pix-payment'>> {
  if (orderId !== undefined && brcode !== undefined) throw usage('Pass either an order or --brcode.');
  const more = {
    ...(amount === undefined ? {} : { amount }),
    ...(payer === undefined ? {} : { 'payer-tax-id': payer }),
  };
  const code = orderId === undefined ? brcode : await codeOf(session, orderId);
  if (code !== undefined) return { brcode: code, ...more };
  if (amount === undefined) throw usage('Name an order, or --brcode, or --amount to fund the account.');
  return { 'account-id': session.accountId, ...more };
}

async function codeOf({ ponte, accountId, signal }: Session, orderId: string): Promise<string> {
  const { order } = await ponte.getOrder(accountId, orderId, { signal });
  if (!order.brcode)
    throw usage(`The order ${orderId} has no Pix code.`, 'Accept a quote with: ponte order <quote-id> --pix.');
  return order.brcode;
}

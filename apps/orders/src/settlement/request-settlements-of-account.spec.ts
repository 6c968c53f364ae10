import type { CommandBus } from '@nestjs/cqrs';
import { systemContext } from '@ponte/event-sourcing';
import type { OrderReadModel } from '../order/orders.read-model';
import type { RequestSettlementCommand } from './request-settlement.command';
import {
  RequestSettlementsOfAccountCommand,
  RequestSettlementsOfAccountHandler,
} from './request-settlements-of-account.command';

describe('the settlements of an account', () => {
  const handled: string[] = [];
  const failing = new Set<string>();
  const commands = {
    execute: async ({ payload: { orderId } }: RequestSettlementCommand) => {
      handled.push(orderId);
      if (failing.has(orderId)) throw new Error(`${orderId} failed`);
    },
  };
  const orders = [
    { id: 'balance-2', paymentMethod: 'account-balance' },
    { id: 'brcode-2', paymentMethod: 'brcode' },
    { id: 'balance-1', paymentMethod: 'account-balance' },
    { id: 'brcode-1', paymentMethod: 'brcode' },
  ];
  const readModel = { page: async () => ({ items: orders, next: null }) };
  const handler = new RequestSettlementsOfAccountHandler(
    commands as unknown as CommandBus,
    readModel as unknown as OrderReadModel,
  );
  const context = systemContext({ next: () => 'id' }, 'test');
  const request = () => handler.execute(new RequestSettlementsOfAccountCommand({ accountId: 'account' }, context));
  const IN_ORDER = ['brcode-2', 'brcode-1', 'balance-2', 'balance-1'];

  beforeEach(() => {
    handled.length = 0;
    failing.clear();
  });

  it('are requested for the orders paid by Pix code first, because their holds are released first', async () => {
    await request();
    expect(handled).toEqual(IN_ORDER);
  });

  it('are requested for all orders even if some fail; the first error is thrown at the end', async () => {
    failing.add('brcode-1').add('balance-2');
    await expect(request()).rejects.toThrow('brcode-1 failed');
    expect(handled).toEqual(IN_ORDER);
  });
});

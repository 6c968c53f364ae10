import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AccountRecord } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';

/** The account as onboarding knows it now. An unknown one is refused like a foreign one. */
export async function accountOf(bus: MessageBus, accountId: string, context: RequestContext): Promise<AccountRecord> {
  const account = await bus.request(GetAccount, { accountId }, context);
  return account ?? refuse('account-access-denied', 'the account is not accessible');
}

import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AccountRecord } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';

/**
 * The account as onboarding knows it now. The edge has checked that the caller reaches it, so one that is not open is
 * still being created.
 */
export async function accountOf(bus: MessageBus, accountId: string, context: RequestContext): Promise<AccountRecord> {
  const account = await bus.request(GetAccount, { accountId }, context);
  return account ?? refuse('account-not-active', 'the account is not active');
}

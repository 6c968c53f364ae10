import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { ask } from '@ponte/event-sourcing';
import type { AccountRecord } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MaybeLater } from '@ponte/kernel';
import { andThen, refuse } from '@ponte/kernel';

/** The account as onboarding knows it now. An unknown one is refused like a foreign one. */
export const accountOf = (bus: MessageBus, accountId: string, context: RequestContext): MaybeLater<AccountRecord> =>
  andThen(ask(bus, GetAccount, { accountId }, context), (account) => account ?? refuse('account-access-denied', 'the account is not accessible'));

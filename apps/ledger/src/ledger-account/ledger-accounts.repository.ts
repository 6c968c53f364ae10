import { Inject, Injectable } from '@nestjs/common';
import type { LedgerAccountEvent, WithdrawalCreated } from '@ponte/contracts';
import type { CommandSource, EventStore, Outcome, RequestContext } from '@ponte/event-sourcing';
import { pagesOf, streamName, upcaster } from '@ponte/event-sourcing';
import { fromIso, lruCache } from '@ponte/kernel';
import { EVENT_STORE, defineRepository } from '@ponte/nest';
import { IdsForgotten, idsTakenBy } from './forgotten-ids.domain';
import type { LedgerAccountCommand, Recalling } from './ledger-account.commands';
import { withdrawalPostingId } from './ledger-account.commands';
import { ledgerAccount } from './ledger-account.decider';
import type { LedgerAccount } from './ledger-account.state';

/** How many searches of the log are remembered, so that a request that is repeated while one runs shares it. */
const REMEMBERED = 100;
/** The time of events may step back a little, for example from one process to another. */
const STEP_BACK_MS = 24 * 60 * 60 * 1000;
const current = upcaster(ledgerAccount.events);

/** The accounts' books. An id that an account has forgotten is looked up in the log, which is rare and slow. */
@Injectable()
export class LedgerAccounts extends defineRepository(ledgerAccount) {
  @Inject(EVENT_STORE) private readonly store!: EventStore;
  private readonly searches = lruCache<string, Promise<readonly string[]>>(REMEMBERED);

  override async handle(
    accountId: string,
    command: CommandSource<LedgerAccountCommand | Recalling>,
    context: RequestContext,
  ): Promise<Outcome<LedgerAccount, LedgerAccountEvent>> {
    try {
      return await super.handle(accountId, command, context);
    } catch (error) {
      if (!(error instanceof IdsForgotten)) throw error;
      const found = await this.search(accountId, error);
      const recalling = async (now: string): Promise<Recalling> => ({
        kind: 'recalling',
        command: typeof command === 'function' ? await command(now) : command,
        found,
      });
      return super.handle(accountId, recalling, context);
    }
  }

  /**
   * Whether this hold or posting was ever recorded for the account, even if its current state no longer contains it.
   */
  async hasTaken(accountId: string, id: string, { taken }: LedgerAccount): Promise<boolean> {
    if (taken.has(id)) return true;
    if (taken.forgotBefore === null) return false;
    return (await this.search(accountId, new IdsForgotten([id], taken.forgotBefore))).length > 0;
  }

  /** Whether the account was debited for a withdrawal. */
  async wasDebited({ accountId, withdrawalId, createdAt }: WithdrawalCreated['data']): Promise<boolean> {
    const state = await this.load(accountId);
    const id = withdrawalPostingId(withdrawalId);
    const { taken } = state;
    if (taken.has(id) || taken.forgotBefore === null || fromIso(createdAt) >= taken.forgotBefore) return taken.has(id);
    return this.hasTaken(accountId, id, state);
  }

  /** The given ids that events before the given time have. What the log shows about that time does not change. */
  private search(accountId: string, { ids, before }: IdsForgotten): Promise<readonly string[]> {
    const key = [accountId, before, ...ids].join(' ');
    const running = this.searches.get(key);
    if (running) return running;
    const search = this.read(accountId, new Set(ids), before);
    this.searches.set(key, search);
    search.catch(() => this.searches.delete(key));
    return search;
  }

  private async read(accountId: string, ids: ReadonlySet<string>, before: number): Promise<readonly string[]> {
    const found = new Set<string>();
    for await (const page of pagesOf(this.store, streamName(ledgerAccount.category, accountId))) {
      for (const recorded of page)
        for (const id of idsTakenBy(current<LedgerAccountEvent>(recorded))) if (ids.has(id)) found.add(id);
      const last = page.at(-1);
      if (found.size === ids.size || (last && fromIso(last.meta.occurredAt) > before + STEP_BACK_MS)) break;
    }
    return [...found];
  }
}

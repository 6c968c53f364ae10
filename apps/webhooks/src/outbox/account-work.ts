import type { Dispatcher } from '../dispatch/dispatcher';

/** Notifications about the deliveries of an account. */
export interface AccountWorkEvents {
  /** Called after each failure. */
  fails(accountId: string, error: unknown): void;
  /** Called when nothing of the account fails any more. */
  works(accountId: string): void;
}

/** Retries the work that the deliveries of an account need, and reports the accounts for which it fails. */
export class AccountWork {
  /** How many pieces of work of an account fail at present. */
  private readonly failing = new Map<string, number>();

  constructor(
    private readonly dispatcher: Pick<Dispatcher, 'persistently'>,
    private readonly events: AccountWorkEvents,
  ) {}

  /** Retries until the work succeeds; rejects only when this process stops. `failure`: that of an earlier attempt. */
  async persistently<T>(accountId: string, work: () => Promise<T>, failure?: { readonly error: unknown }): Promise<T> {
    let isFailing = false;
    const failed = (error: unknown): void => {
      if (!isFailing) this.count(accountId, 1);
      isFailing = true;
      this.events.fails(accountId, error);
    };
    if (failure) failed(failure.error);
    const result = await this.dispatcher.persistently(async () => {
      try {
        return await work();
      } catch (error) {
        failed(error);
        throw error;
      }
    });
    if (isFailing && this.count(accountId, -1) === 0) this.events.works(accountId);
    return result;
  }

  private count(accountId: string, change: 1 | -1): number {
    const count = (this.failing.get(accountId) ?? 0) + change;
    if (count === 0) this.failing.delete(accountId);
    else this.failing.set(accountId, count);
    return count;
  }
}

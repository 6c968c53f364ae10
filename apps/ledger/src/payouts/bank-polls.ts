import { Inject, Injectable } from '@nestjs/common';
import { each } from '@ponte/concurrency';
import type { Checkpoints, RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Unavailable, fromIso, isoTime } from '@ponte/kernel';
import { CHECKPOINTS, CLOCK, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { BankPage, BankWindow } from './bank-window';
import { asked } from './rail';

/** Tolerance for a bank clock that is ahead of ours. */
const AHEAD_MS = 60_000;
/** How far back the first poll starts. */
const FIRST_LOOK_BACK_MS = 24 * 60 * 60 * 1000;
/** A million entries in one poll; a longer list means that the bank's paging is broken. */
const MAX_PAGES = 1_000;

/** A list of the bank that is polled at an interval. */
export interface BankPoll {
  /** The checkpoint that stores the time up to which the bank was polled. */
  readonly reader: string;
  /** How long after its own time an entry may still appear at the bank, in milliseconds. */
  readonly overlapMs: number;
  /** The fence of the lease under which the bank is polled. */
  readonly fence: number;
}

/** Reads what the bank has listed since the last poll, in case callbacks are late or lost. */
@Injectable()
export class BankPolls {
  constructor(
    @Inject(CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * One poll. `work` returns how many entries of the window failed. The checkpoint moves only if none failed, so failed
   * entries are retried at each poll.
   */
  async look(
    { reader, overlapMs, fence }: BankPoll,
    work: (window: Omit<BankWindow, 'page'>) => Promise<number>,
  ): Promise<number> {
    const now = this.clock.now();
    const mark = await this.checkpoints.load(reader);
    const since = mark === undefined ? now - FIRST_LOOK_BACK_MS : Math.min(fromIso(mark), now) - overlapMs;
    const failed = await work({ from: isoTime(since), to: isoTime(now + AHEAD_MS) });
    if (failed === 0) await this.checkpoints.save(reader, isoTime(now), fence);
    return failed;
  }

  /**
   * Reads every page even if some entries fail. Returns how many entries failed and need staff attention. Throws
   * `Unavailable` at the end if the bank did not answer for one of them.
   */
  async pages(
    list: (page: number) => Promise<BankPage>,
    work: (id: string) => Promise<unknown>,
    context: RequestContext,
  ): Promise<number> {
    let failed = 0;
    let outage: Unavailable | undefined;
    const attempt = async (id: string): Promise<void> => {
      try {
        await work(id);
      } catch (error) {
        if (error instanceof Unavailable) outage ??= error;
        else {
          failed += 1;
          this.logger.error(
            { ...logged(context), endToEndId: id, failure: error instanceof Error ? error.name : typeof error },
            'a received payment could not be recorded; it is retried at each poll',
          );
        }
      }
    };
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { ids, lastPage } = await asked(() => list(page));
      await each(ids, attempt);
      if (!lastPage) continue;
      if (outage) throw outage;
      return failed;
    }
    throw new Error('the bank did not end a list within 1000 pages');
  }
}

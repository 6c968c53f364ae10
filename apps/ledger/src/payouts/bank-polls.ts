import { Inject, Injectable } from '@nestjs/common';
import type { Checkpoints, RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Unavailable, fromIso, isoTime } from '@ponte/kernel';
import { CHECKPOINTS, CLOCK, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { each } from '../each';
import type { BankPage, BankWindow } from './bank-window';
import { asked } from './rail';

/** The bank's clock may be ahead of ours. */
const AHEAD_MS = 60_000;
/** Where the first look begins. */
const FIRST_LOOK_BACK_MS = 24 * 60 * 60 * 1000;
/** A million entries in one look: more is an error of the bank's paging. */
const MAX_PAGES = 1_000;

/** What is asked of the bank at an interval. */
export interface BankPoll {
  /** The checkpoint that keeps the time up to which the bank was asked. */
  readonly reader: string;
  /** How much later than its own time an entry may show at the bank, milliseconds. */
  readonly overlapMs: number;
  /** Of the lease under which the bank is asked. */
  readonly fence: number;
}

/** Reads what the bank lists since the last look: the safety net under notices that are late or lost. */
@Injectable()
export class BankPolls {
  constructor(
    @Inject(CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * One look. `work` returns how many entries of the window could not be taken in. The checkpoint moves only after all
   * were, so what failed is tried again at each look.
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
   * Every page is read although some entries fail. Returns how many cannot be taken in: a person has to look at those.
   * Throws `Unavailable` at the end when the bank did not give one of them now.
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
            'a received payment cannot be taken in; it is tried again at each look',
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
    throw new Error('a list of the bank does not end');
  }
}

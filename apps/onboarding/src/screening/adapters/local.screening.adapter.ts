import type { Logger } from 'pino';
import type { Timers } from '@ponte/concurrency';
import { runYielding, Semaphore } from '@ponte/concurrency';
import { derivedId } from '@ponte/kernel';
import type { ListInUse } from '@ponte/observability';
import type { ListSource } from '@ponte/screening-lists';
import { BadList, LocalList } from '@ponte/screening-lists';
import { matchPeople } from '../match-people.domain';
import type { Screening, ScreeningResult, ScreeningSubject } from '../screening.port';
import { cutSearch } from '../shown-matches.domain';
import { uncomparedNames } from './uncompared-names';
import type { ListRoom, ReadList } from './read-list';
import { peopleReader } from './read-list';

interface LocalScreeningOptions {
  readonly lists: readonly ListSource[];
  /** 0 to 100. A match with this score or more is a hit. */
  readonly threshold: number;
  /** The most names that all lists may have together, so that the process does not run out of memory. */
  readonly maxNames?: number;
  /** The most memory that the indexes of all lists may take while they are made, in bytes. */
  readonly maxBytes?: number;
}

/**
 * While a list of so many names replaces another, the process takes about 590 MB more. That fits into the memory that
 * the chart gives to it; 100,000 people have fewer names.
 */
const MAX_NAMES = 400_000;
/**
 * `MAX_NAMES` usual names take little more than half of it. Names with many long words that no other name has would
 * take several gigabytes. While a list of this size replaces another, the process takes about 800 MB more.
 */
const MAX_BYTES = 320 * 2 ** 20;

/** Changes with the rules of comparison, so that a release with other rules screens everyone again at once. */
const RULES = 'rules-3';

/** Screens against local lists: no vendor is involved, and no name leaves the process. */
export class LocalScreening implements Screening {
  /** Searches share one thread, so several at once would only take more memory. */
  private readonly searches = new Semaphore(1);
  private readonly all: readonly LocalList<ReadList, ListRoom>[];

  private constructor(private readonly options: LocalScreeningOptions) {
    this.all = options.lists.map((source) => new LocalList(source, peopleReader(source.name)));
  }

  /** Throws if a list is missing or broken: screening against fewer lists would let listed people pass. */
  static async open(options: LocalScreeningOptions): Promise<LocalScreening> {
    const { lists, threshold } = options;
    if (lists.length === 0) throw new Error('screening needs at least one list');
    if (new Set(lists.map(({ name }) => name)).size !== lists.length)
      throw new Error('two lists must not share one name');
    if (!(threshold >= 50 && threshold <= 100))
      throw new RangeError('the screening threshold must be a number from 50 to 100');
    const screening = new LocalScreening(options);
    await screening.refresh();
    return screening;
  }

  async screen({ names, dateOfBirth, country }: ScreeningSubject): Promise<ScreeningResult> {
    const { matches, cutLists } = await this.searches.pass(() => {
      const indexes = this.all.map(({ current: { content } }) => content.index);
      return runYielding(matchPeople(indexes, { names, dateOfBirth, country }, this.options.threshold));
    });
    return { hits: [...matches, ...cutLists.map(cutSearch), ...uncomparedNames(names)] };
  }

  listsVersion(): string {
    const contents = this.all.map(({ name, current: { digest } }) => `${name}:${digest}`);
    return derivedId('screening-lists', RULES, String(this.options.threshold), ...contents);
  }

  /** The loaded lists, for logs and health checks, without names of people. */
  lists(): readonly { readonly name: string; readonly version: string; readonly entries: number }[] {
    return this.all.map(({ name, current: { content } }) => ({
      ...{ name, version: content.version, entries: content.index.entries },
    }));
  }

  /** The lists as they are used, for metrics. */
  inUse(): readonly ListInUse[] {
    return this.all.map(({ name, refusal, current: { content, state } }) => ({
      ...{ name, entries: content.index.entries, writtenAt: state.writtenAt, isRefused: refusal !== undefined },
    }));
  }

  /**
   * Reloads the lists that have changed, one after the other. If a changed list cannot be used, its previous entries
   * stay in use; the other lists are not held back. Throws if a list has no previous entries.
   *
   * @returns whether a changed list is in use
   */
  async refresh(): Promise<boolean> {
    const { maxNames = MAX_NAMES, maxBytes = MAX_BYTES } = this.options;
    let isChanged = false;
    for (const list of this.all) {
      const others = this.all.filter((one) => one !== list);
      const names = others.reduce((left, one) => left - (one.loaded?.index.size ?? 0), maxNames);
      const bytes = others.reduce((left, one) => left - (one.loaded?.bytes ?? 0), maxBytes);
      if (await list.refresh({ names, bytes })) isChanged = true;
    }
    return isChanged;
  }

  /**
   * Checks every `intervalMs` whether a list has changed. Every replica does this itself, because each has the lists in
   * its own memory.
   */
  start(timers: Timers, intervalMs: number, logger: Logger): void {
    logger.info({ lists: this.lists() }, 'screening lists loaded');
    timers.every('onboarding.screening-lists', intervalMs, async () => {
      if (await this.refresh()) logger.info({ lists: this.lists() }, 'screening lists reloaded');
      for (const { name: list, refusal } of this.all)
        if (refusal !== undefined)
          logger.error(
            { list, reason: refusal instanceof BadList ? refusal.message : codeOf(refusal) },
            'a changed screening list cannot be used; its previous entries stay in use',
          );
    });
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? 'unreadable';

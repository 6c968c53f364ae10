import type { Logger } from 'pino';
import type { Timers } from '@ponte/concurrency';
import { matchPeople } from '../match-people.domain';
import { NameIndex } from '../name-index.domain';
import type { WatchList } from '../watch-list.domain';
import type { Screening, ScreeningResult, ScreeningSubject } from '../screening.port';
import type { Steps } from '../steps.domain';
import { inTurns } from './in-turns';
import type { ListSource } from './list-source';
import { BadList, unListInSteps } from './un-list';

export interface LocalScreeningOptions {
  readonly lists: readonly ListSource[];
  /** 0 to 100: from this score on a match is a hit. */
  readonly threshold: number;
}

/**
 * Where an exact name with another birth date (85) and a name without its two middle names (85) are still looked at by
 * people.
 */
export const DEFAULT_THRESHOLD = 80;

/** Entries that are indexed in one step. */
const ENTRIES_A_STEP = 20;
/** A list seldom shrinks; one that lost half of its people was cut off, or is another. */
const LEAST_SHARE_LEFT = 0.5;

interface Loaded {
  readonly version: string;
  readonly list: WatchList;
}

/** Compares with lists that lie here: no vendor, and no name leaves the process. */
export class LocalScreening implements Screening {
  private index = new NameIndex();
  private loaded: readonly Loaded[] = [];

  private constructor(private readonly options: LocalScreeningOptions) {}

  /** Throws when a list is missing or broken: to screen against less than was asked for would be to let people pass. */
  static async open(options: LocalScreeningOptions): Promise<LocalScreening> {
    const { lists, threshold } = options;
    if (lists.length === 0) throw new Error('screening wants at least one list');
    if (new Set(lists.map(({ name }) => name)).size !== lists.length) throw new Error('two lists have one name');
    if (!(threshold >= 50 && threshold <= 100))
      throw new RangeError('the threshold of screening is a number from 50 to 100');
    const screening = new LocalScreening(options);
    await screening.refresh();
    return screening;
  }

  async screen({ names, dateOfBirth, country }: ScreeningSubject): Promise<ScreeningResult> {
    return { hits: await inTurns(matchPeople(this.index, { names, dateOfBirth, country }, this.options.threshold)) };
  }

  /** What it compares with, for logs and health: no names. */
  lists(): readonly { readonly name: string; readonly version: string; readonly entries: number }[] {
    return this.loaded.map(({ list: { name, version, people } }) => ({ name, version, entries: people.length }));
  }

  /**
   * Reads again what has changed. All or nothing: when a list is broken the ones that were read before stay, and this
   * throws.
   */
  async refresh(): Promise<boolean> {
    const versions = await Promise.all(this.options.lists.map((source) => source.version()));
    if (versions.every((version, i) => version === this.loaded[i]?.version)) return false;
    const loaded: Loaded[] = [];
    for (const [i, source] of this.options.lists.entries())
      loaded.push(await this.load(source, versions[i] as string, this.loaded[i]));
    this.index = await inTurns(indexed(loaded.map(({ list }) => list)));
    this.loaded = loaded;
    return true;
  }

  /**
   * Looks every `intervalMs` whether a list has changed. Every replica looks for itself: what it reads stays in its
   * memory.
   */
  start(timers: Timers, intervalMs: number, logger: Logger): void {
    logger.info({ lists: this.lists() }, 'screening lists read');
    timers.every('onboarding.screening-lists', intervalMs, async () => {
      try {
        if (await this.refresh()) logger.info({ lists: this.lists() }, 'screening lists read again');
      } catch (error) {
        logger.error(
          { reason: error instanceof BadList ? error.message : codeOf(error) },
          'a changed screening list cannot be used; the one before it stays',
        );
      }
    });
  }

  private async load(source: ListSource, version: string, before: Loaded | undefined): Promise<Loaded> {
    if (before?.version === version) return before;
    const list = await inTurns(unListInSteps(source.name, await source.read()));
    if (before && list.people.length < before.list.people.length * LEAST_SHARE_LEFT)
      throw new BadList(`the list ${source.name} lost half of its entries; a restart accepts that`);
    return { version, list };
  }
}

function* indexed(lists: readonly WatchList[]): Steps<NameIndex> {
  const index = new NameIndex();
  let entries = 0;
  for (const { name, people } of lists) {
    for (const person of people) {
      index.add(name, person);
      entries += 1;
      if (entries % ENTRIES_A_STEP === 0) yield;
    }
  }
  return index;
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? 'unreadable';

import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Timers } from '@ponte/concurrency';
import { derivedId } from '@ponte/kernel';
import type { ListInUse } from '@ponte/observability';
import { matchPeople } from '../match-people.domain';
import { NameIndex } from '../name-index.domain';
import type { WatchList } from '../watch-list.domain';
import type { Screening, ScreeningResult, ScreeningSubject } from '../screening.port';
import type { Steps } from '../steps.domain';
import { runYielding } from './run-yielding';
import { uncomparedNames } from './uncompared-names';
import type { ListSource, ListState } from './list-source';
import { BadList, unListInSteps } from './un-list';

export interface LocalScreeningOptions {
  readonly lists: readonly ListSource[];
  /** 0 to 100. A match with this score or more is a hit. */
  readonly threshold: number;
}

/** Entries indexed per step. */
const ENTRIES_A_STEP = 20;
/** A list rarely shrinks. One that lost more than half of its people was truncated, or is a different list. */
const LEAST_SHARE_LEFT = 0.5;

interface Loaded extends ListState {
  /** SHA-256 of the text. Unlike the version, it is the same on every process. */
  readonly digest: string;
  readonly list: WatchList;
}

/** Screens against local lists: no vendor is involved, and no name leaves the process. */
export class LocalScreening implements Screening {
  private index = new NameIndex();
  private loaded: readonly Loaded[] = [];
  private usedVersion = '';
  /** Why the present file of a list cannot be used, by the name of the list. */
  private refused: ReadonlyMap<string, unknown> = new Map();

  private constructor(private readonly options: LocalScreeningOptions) {}

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
    const matches = await runYielding(matchPeople(this.index, { names, dateOfBirth, country }, this.options.threshold));
    return { hits: [...matches, ...uncomparedNames(names)] };
  }

  listsVersion(): string {
    return this.usedVersion;
  }

  /** The loaded lists, for logs and health checks, without names of people. */
  lists(): readonly { readonly name: string; readonly version: string; readonly entries: number }[] {
    return this.loaded.map(({ list: { name, version, people } }) => ({ name, version, entries: people.length }));
  }

  /** The lists as they are used, for metrics. */
  inUse(): readonly ListInUse[] {
    return this.loaded.map(({ list: { name, people }, writtenAt }) => ({
      ...{ name, entries: people.length, writtenAt, isRefused: this.refused.has(name) },
    }));
  }

  /**
   * Reloads the lists that have changed. If a changed list cannot be used, its previous entries stay in use; the other
   * lists are not held back. Throws if a list has no previous entries.
   *
   * @returns whether a changed list is in use
   */
  async refresh(): Promise<boolean> {
    const loaded: Loaded[] = [];
    const refused = new Map<string, unknown>();
    for (const [i, source] of this.options.lists.entries()) {
      const before = this.loaded[i];
      try {
        loaded.push(await this.load(source, before));
      } catch (error) {
        if (!before) throw error;
        loaded.push(before);
        refused.set(source.name, error);
      }
    }
    this.refused = refused;
    if (loaded.every((one, i) => one === this.loaded[i])) return false;
    this.index = await runYielding(indexed(loaded.map(({ list }) => list)));
    this.loaded = loaded;
    const contents = loaded.map(({ list: { name }, digest }) => `${name}:${digest}`);
    this.usedVersion = derivedId('screening-lists', String(this.options.threshold), ...contents);
    return true;
  }

  /**
   * Checks every `intervalMs` whether a list has changed. Every replica does this itself, because each has the lists in
   * its own memory.
   */
  start(timers: Timers, intervalMs: number, logger: Logger): void {
    logger.info({ lists: this.lists() }, 'screening lists loaded');
    timers.every('onboarding.screening-lists', intervalMs, async () => {
      if (await this.refresh()) logger.info({ lists: this.lists() }, 'screening lists reloaded');
      for (const [list, error] of this.refused)
        logger.error(
          { list, reason: error instanceof BadList ? error.message : codeOf(error) },
          'a changed screening list cannot be used; its previous entries stay in use',
        );
    });
  }

  private async load(source: ListSource, before: Loaded | undefined): Promise<Loaded> {
    const state = await source.state();
    if (before?.version === state.version) return before;
    const text = await source.read();
    const list = await runYielding(unListInSteps(source.name, text));
    if (before && list.people.length < before.list.people.length * LEAST_SHARE_LEFT)
      throw new BadList(`the list ${source.name} lost more than half of its entries; restart to accept it`);
    return { ...state, list, digest: await runYielding(digestInSteps(text)) };
  }
}

/** Characters hashed per step: a few milliseconds. */
const HASHED_A_STEP = 2 ** 20;

function* digestInSteps(text: string): Steps<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < text.length; from += HASHED_A_STEP) {
    hash.update(text.slice(from, from + HASHED_A_STEP));
    yield;
  }
  return hash.digest('hex');
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

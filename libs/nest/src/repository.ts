import type { Type } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { CommandSource, Decider, DomainEvent, Outcome, RequestContext } from '@ponte/event-sourcing';
import { Aggregates, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import type { Logger } from 'pino';
import { commandContext } from './contexts';
import { CLOCK, LOGGER } from './tokens';

/** The list in which the states of a resource are shown. */
export interface ShownIn<S, M> {
  /** Injection token of the read model. */
  readonly readModel: symbol;
  /** Writes the row of a state. Rows never go back to a lower revision. */
  readonly show: (readModel: M, shown: ShownState<S>) => unknown;
}

/** A read model of `defineReadModel`. */
export type ListClass<S> = Type<Shows<S>>;

interface Shows<S> {
  show(shown: ShownState<S>): Promise<void>;
}

interface ShownState<S> {
  readonly id: string;
  readonly state: S;
  readonly revision: number;
}

/** The streams of one kind of resource. */
export interface Repository<C, S> {
  /** The durable state of a stream: as it is now, or an earlier one that `suffices`. */
  load(id: string, suffices?: (held: S) => boolean): Promise<S>;
  /**
   * Carries out a command once and shows the new state in the list before it returns. A list that fails takes nothing
   * back: the projector brings it up to date. Throws the decider's `Refusal`, or `Unavailable`.
   */
  execute(id: string, command: CommandSource<C>, context: RequestContext): Promise<S>;
  /** As {@link execute}, for a command that creates the stream unless that was done before. */
  createIfAbsent(id: string, command: CommandSource<C>, context: RequestContext): Promise<S>;
  /**
   * Shows a stream in the list at this revision or a later one, also when this process showed it before: a database
   * that failed over may have lost the row together with its checkpoint. Throws when the list cannot be written.
   */
  catchUp(id: string, atLeast: number): Promise<void>;
}

/**
 * Makes the base class of a repository: `@Injectable() class Orders extends defineRepository(order, {…}) {}`. The list
 * is a read model; without one the resource has no list.
 */
export function defineRepository<C, S, E extends DomainEvent, M = never>(
  decider: Decider<C, S, E>,
  list?: ShownIn<S, M> | ListClass<S>,
): Type<Repository<C, S>> {
  const shownIn =
    typeof list === 'function'
      ? { readModel: list, show: (readModel: M, shown: ShownState<S>) => (readModel as Shows<S>).show(shown) }
      : list;

  @Injectable()
  class DefinedRepository implements Repository<C, S> {
    constructor(
      private readonly aggregates: Aggregates,
      @Inject(CLOCK) private readonly clock: Clock,
      @Inject(LOGGER) private readonly logger: Logger,
      // A resource without a list is given something that it never uses.
      @Inject(shownIn?.readModel ?? LOGGER) private readonly readModel: M,
    ) {}

    async load(id: string, suffices: (held: S) => boolean = () => false): Promise<S> {
      return (await this.aggregates.load(decider, id, ({ state }) => suffices(state))).state;
    }

    async execute(id: string, command: CommandSource<C>, context: RequestContext): Promise<S> {
      const outcome = await this.aggregates.handle(decider, id, command, commandContext(context, this.clock));
      return this.followed(id, outcome, context);
    }

    async createIfAbsent(id: string, command: CommandSource<C>, context: RequestContext): Promise<S> {
      const outcome = await this.aggregates.createIfAbsent(decider, id, command, commandContext(context, this.clock));
      return this.followed(id, outcome, context);
    }

    async catchUp(id: string, atLeast: number): Promise<void> {
      const { state, revision } = await this.aggregates.load(decider, id, (held) => held.revision >= atLeast);
      await this.show(id, state, revision);
    }

    private async followed(id: string, outcome: Outcome<S, E>, context: RequestContext): Promise<S> {
      const { state, revision, events } = outcome;
      if (events.length === 0) return state;
      try {
        await this.show(id, state, revision);
      } catch (error) {
        // Only the error's name: its message may quote the row.
        const failure = error instanceof Error ? error.name : typeof error;
        const about = { ...logged(context), category: decider.category, id, failure };
        this.logger.error(about, 'a resource did not reach its list; the projector brings it up to date');
      }
      return state;
    }

    private async show(id: string, state: S, revision: number): Promise<void> {
      await shownIn?.show(this.readModel, { id, state, revision });
    }
  }
  return DefinedRepository;
}

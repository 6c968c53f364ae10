import type { Type } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type {
  CommandSource,
  Decider,
  DomainEvent,
  Loaded,
  Outcome,
  Recorded,
  RequestContext,
} from '@ponte/event-sourcing';
import { Aggregates, commandContext, logged, streamName } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import type { Shown } from '@ponte/read-models';
import type { Logger } from 'pino';
import { InjectGiven } from './inject-given';
import { CLOCK, LOGGER } from './tokens';

/** The read model that lists the states of a resource; see `defineReadModel`. */
interface Shows<S> {
  /** Writes the rows of a state. A row is never replaced by one with a lower revision. */
  show(shown: Shown<S>): Promise<void>;
}

/** The streams of one kind of resource. */
interface Repository<C, S, E extends DomainEvent = DomainEvent> {
  /** The durable, current state of a stream, or a cached one that `suffices`; see `Aggregates.load`. */
  load(id: string, suffices?: (held: S) => boolean): Promise<S>;
  /** Like {@link load}, with the revision of the state. */
  loadWithRevision(id: string, suffices?: (held: Loaded<S>) => boolean): Promise<Loaded<S>>;
  /**
   * Executes a command once and writes the new state to the read model before it returns. If that write fails, the
   * command still succeeds and the projector writes the row later. Throws the decider's `Refusal`, or `Unavailable`.
   */
  execute(id: string, command: CommandSource<C>, context: RequestContext): Promise<S>;
  /** Like {@link execute}; also returns the events, and whether the command had been executed before. */
  handle(id: string, command: CommandSource<C>, context: RequestContext): Promise<Outcome<S, E>>;
  /** Like {@link execute}, for a command that creates the stream unless it was executed before. */
  createIfAbsent(id: string, command: CommandSource<C>, context: RequestContext): Promise<S>;
}

/**
 * Creates the base class of a repository: `@Injectable() class Orders extends defineRepository(order, OrderReadModel)`.
 * Without a read model, the resource is not listed.
 */
export function defineRepository<C, S, E extends DomainEvent>(
  decider: Decider<C, S, E>,
  list?: Type<Shows<S>>,
): Type<Repository<C, S, E>> {
  const { creation } = decider;
  const creates = ({ type, revision }: Pick<Recorded, 'type' | 'revision'>): boolean =>
    creation ? type === creation.type : revision === 0;

  @Injectable()
  class DefinedRepository implements Repository<C, S, E> {
    constructor(
      private readonly aggregates: Aggregates,
      @Inject(CLOCK) private readonly clock: Clock,
      @Inject(LOGGER) private readonly logger: Logger,
      @InjectGiven(list) private readonly readModel: Shows<S> | undefined,
    ) {}

    async load(id: string, suffices: (held: S) => boolean = () => false): Promise<S> {
      return (await this.aggregates.load(decider, id, ({ state }) => suffices(state))).state;
    }

    loadWithRevision(id: string, suffices?: (held: Loaded<S>) => boolean): Promise<Loaded<S>> {
      return this.aggregates.load(decider, id, suffices);
    }

    async execute(id: string, command: CommandSource<C>, context: RequestContext): Promise<S> {
      return (await this.handle(id, command, context)).state;
    }

    async handle(id: string, command: CommandSource<C>, context: RequestContext): Promise<Outcome<S, E>> {
      const outcome = await this.aggregates.handle(decider, id, command, commandContext(context, this.clock));
      await this.follow(id, outcome, context);
      return outcome;
    }

    async createIfAbsent(id: string, command: CommandSource<C>, context: RequestContext): Promise<S> {
      const outcome = await this.aggregates.createIfAbsent(decider, id, command, commandContext(context, this.clock));
      await this.follow(id, outcome, context);
      return outcome.state;
    }

    private async follow(id: string, outcome: Outcome<S, E>, context: RequestContext): Promise<void> {
      const { state, revision, events } = outcome;
      if (events.length === 0 || this.readModel === undefined) return;
      // With this line, support finds what a request created, even if its response was an error.
      if (events.some(creates))
        this.logger.info({ ...logged(context), stream: streamName(decider.category, id) }, 'a resource was created');
      try {
        await this.readModel.show({ id, state, revision });
      } catch (error) {
        // Only the error's name: its message may quote the row.
        const failure = error instanceof Error ? error.name : typeof error;
        const about = { ...logged(context), category: decider.category, id, failure };
        this.logger.error(about, 'a row of a read model could not be written; the projector will write it');
      }
    }
  }
  return DefinedRepository;
}

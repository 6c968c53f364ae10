import type {
  Aggregates,
  Decider,
  DomainEvent,
  Outcome,
  RequestContext,
  CommandSource as Commanded,
} from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { commandContext } from '@ponte/nest';
import type { Logger } from 'pino';

export interface ShownStreamsParts<C, S, E extends DomainEvent, Row> {
  readonly aggregates: Aggregates;
  readonly decider: Decider<C, S, E>;
  /** The rows of a list that show a state. */
  readonly rowsOf: (state: S, revision: number) => readonly Row[];
  readonly putAll: (rows: readonly Row[]) => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The streams of a resource; each accepted command is shown in the resource's list before it is answered. */
export abstract class ShownStreams<C, S, E extends DomainEvent, Row> {
  protected constructor(private readonly parts: ShownStreamsParts<C, S, E, Row>) {}

  async load(id: string): Promise<S> {
    return (await this.parts.aggregates.load(this.parts.decider, id)).state;
  }

  async execute(id: string, command: Commanded<C>, context: RequestContext): Promise<S> {
    const { aggregates, decider, clock } = this.parts;
    return this.shown(id, await aggregates.handle(decider, id, command, commandContext(context, clock)), context);
  }

  /** The same for a command that creates the stream unless that was done before. */
  async createIfAbsent(id: string, command: Commanded<C>, context: RequestContext): Promise<S> {
    const { aggregates, decider, clock } = this.parts;
    return this.shown(
      id,
      await aggregates.createIfAbsent(decider, id, command, commandContext(context, clock)),
      context,
    );
  }

  /** A list that fails takes nothing back: the projector repairs it. */
  private async shown(id: string, { state, revision, events }: Outcome<S, E>, context: RequestContext): Promise<S> {
    const { rowsOf, putAll, logger, decider } = this.parts;
    const rows = events.length === 0 ? [] : rowsOf(state, revision);
    try {
      if (rows.length > 0) await putAll(rows);
    } catch (error) {
      const about = { ...logged(context), err: error, stream: `${decider.category}-${id}` };
      logger.error(about, 'a resource did not reach its list; the projector will bring it');
    }
    return state;
  }
}

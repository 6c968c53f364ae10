import { Inject, Injectable } from '@nestjs/common';
import type { Checkpoints, EventStore, Position } from '@ponte/event-sourcing';
import { CHECKPOINTS, EVENT_STORE, VIEW_CHECKPOINTS } from '@ponte/nest';

/** Names the place of a reader beside the journal; beside the log it is the mark that there is a journal. */
export const journalOf = (reader: string): string => `${reader}-journal`;

/** No place in the log, so that no one takes it for a reader that is far behind. */
const MARK = 'journal';

/**
 * The places of readers whose work is in the journal: beside the log, as any reader's, and beside the journal, written
 * after what is in it. A reader begins at the earlier one, so that no delivery is lost with the end of that database.
 * A mark beside the log says that there is a journal: where there is a mark and no place beside the journal, the
 * journal was lost, and the reader begins at the start of the log. What the log says was delivered is not sent again.
 */
@Injectable()
export class JournalPlaces implements Checkpoints {
  private readonly marked = new Set<string>();

  constructor(
    @Inject(CHECKPOINTS) private readonly kept: Checkpoints,
    @Inject(VIEW_CHECKPOINTS) private readonly beside: Checkpoints,
    @Inject(EVENT_STORE) private readonly log: Pick<EventStore, 'comparePositions'>,
  ) {}

  async load(reader: string): Promise<Position | undefined> {
    const place = await this.kept.load(reader);
    if (place === undefined) return undefined;
    const journal = await this.beside.load(journalOf(reader));
    if (journal !== undefined) return this.log.comparePositions(journal, place) < 0 ? journal : place;
    // A log that was written before there was a journal has no mark: what was open then is in the log.
    return (await this.kept.load(journalOf(reader))) === undefined ? place : undefined;
  }

  async save(reader: string, position: Position, fence?: number): Promise<boolean> {
    if (!(await this.beside.save(journalOf(reader), position, fence))) return false;
    return (await this.mark(reader, fence)) && this.kept.save(reader, position, fence);
  }

  async trouble(reader: string, trouble: string | null, at: string): Promise<void> {
    await this.kept.trouble?.(reader, trouble, at);
  }

  /** Before the first place beside the log that rests on the journal. */
  private async mark(reader: string, fence: number | undefined): Promise<boolean> {
    if (this.marked.has(reader)) return true;
    const marked = await this.kept.save(journalOf(reader), MARK, fence);
    if (marked) this.marked.add(reader);
    return marked;
  }
}

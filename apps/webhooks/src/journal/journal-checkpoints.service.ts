import { Inject, Injectable } from '@nestjs/common';
import type { Checkpoints, EventStore, Position } from '@ponte/event-sourcing';
import { CHECKPOINTS, EVENT_STORE, READ_MODEL_CHECKPOINTS } from '@ponte/nest';

/** The name of a reader's checkpoint in the journal's database, and of the mark in the log's checkpoints. */
export const journalOf = (reader: string): string => `${reader}-journal`;

/** Not a position, so that the mark is not mistaken for the checkpoint of a reader that is far behind. */
const MARK = 'journal';

/**
 * Checkpoints of readers that write to the journal. Each is saved twice: in the journal's database, after the journal
 * events, and in the log's checkpoints. A reader starts at the earlier one, so losing recent changes of the journal's
 * database loses no delivery. A mark in the log's checkpoints records that a journal exists: if there is a mark but no
 * checkpoint in the journal's database, that database was lost, and the reader starts at the beginning of the log.
 * Deliveries that succeeded according to the log are not sent again.
 */
@Injectable()
export class JournalCheckpoints implements Checkpoints {
  private readonly marked = new Set<string>();

  constructor(
    @Inject(CHECKPOINTS) private readonly kept: Checkpoints,
    @Inject(READ_MODEL_CHECKPOINTS) private readonly journalCheckpoints: Checkpoints,
    @Inject(EVENT_STORE) private readonly log: Pick<EventStore, 'comparePositions'>,
  ) {}

  async load(reader: string): Promise<Position | undefined> {
    const own = await this.kept.load(reader);
    if (own === undefined) return undefined;
    const journal = await this.journalCheckpoints.load(journalOf(reader));
    if (journal !== undefined) return this.log.comparePositions(journal, own) < 0 ? journal : own;
    // A log from before journals existed has no mark; all its open deliveries are in the log.
    return (await this.kept.load(journalOf(reader))) === undefined ? own : undefined;
  }

  async save(reader: string, position: Position, fence?: number): Promise<boolean> {
    if (!(await this.journalCheckpoints.save(journalOf(reader), position, fence))) return false;
    return (await this.mark(reader, fence)) && this.kept.save(reader, position, fence);
  }

  async trouble(reader: string, trouble: string | null, at: string): Promise<void> {
    await this.kept.trouble?.(reader, trouble, at);
  }

  /** Saves the mark once, before the first checkpoint that depends on the journal. */
  private async mark(reader: string, fence: number | undefined): Promise<boolean> {
    if (this.marked.has(reader)) return true;
    const marked = await this.kept.save(journalOf(reader), MARK, fence);
    if (marked) this.marked.add(reader);
    return marked;
  }
}

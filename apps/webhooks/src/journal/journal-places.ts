import type { Checkpoints, EventStore, Position } from '@ponte/event-sourcing';

const FAILING = 'WebhookEndpointFailing';
const ENDPOINTS = ['webhookEndpoint'];
/** Events of one look back. */
const PAGE = 500;
const SUFFIX = '-journal';

/**
 * The places of readers whose work is in the journal: kept as ever, and beside the journal after what is in it. A
 * reader begins at the earlier one, so that no journaled delivery is lost with the end of that database. Where the
 * whole database was lost, and an endpoint was failing at any time, it begins at the start of the log.
 */
export class JournalPlaces implements Checkpoints {
  constructor(
    private readonly kept: Checkpoints,
    private readonly beside: Checkpoints,
    private readonly log: Pick<EventStore, 'newest' | 'comparePositions'>,
  ) {}

  async load(reader: string): Promise<Position | undefined> {
    const place = await this.kept.load(reader);
    if (place === undefined) return undefined;
    const journal = await this.beside.load(`${reader}${SUFFIX}`);
    if (journal !== undefined) return this.log.comparePositions(journal, place) < 0 ? journal : place;
    return (await this.wasFailing()) ? undefined : place;
  }

  async save(reader: string, position: Position, fence?: number): Promise<boolean> {
    if (!(await this.beside.save(`${reader}${SUFFIX}`, position, fence))) return false;
    return this.kept.save(reader, position, fence);
  }

  async trouble(reader: string, trouble: string | null, at: string): Promise<void> {
    await this.kept.trouble?.(reader, trouble, at);
  }

  private async wasFailing(): Promise<boolean> {
    for (let before: Position | undefined; ;) {
      const events = await this.log.newest({
        categories: ENDPOINTS,
        limit: PAGE,
        ...(before === undefined ? {} : { before }),
      });
      if (events.some(({ type }) => type === FAILING)) return true;
      before = events.at(-1)?.position;
      if (events.length < PAGE || before === undefined) return false;
    }
  }
}

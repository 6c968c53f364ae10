import { join } from 'node:path';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { temporaryFolder } from '@ponte/testing';

export let folder: ReturnType<typeof temporaryFolder>;
export let file: string;
/** A new folder for each test of a file. */
export function useLogFolder(): void {
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'events.db');
  });
  afterEach(() => folder.remove());
}

export async function everything(store: EventStore): Promise<Recorded[]> {
  const events: Recorded[] = [];
  if ((await store.head()) === undefined) return events;
  for await (const slice of store.subscribe()) {
    events.push(...slice.events);
    if (slice.caughtUp) break;
  }
  return events;
}

/** Expects that the log contains only whole appends, with revisions and positions without gaps. */
export function expectSound(events: readonly Recorded[]): void {
  const heads = new Map<string, number>();
  const commands = new Map<string, number>();
  const gaps = events.filter((event, at) => {
    const next = (heads.get(event.stream) ?? -1) + 1;
    heads.set(event.stream, event.revision);
    commands.set(event.meta.commandId, (commands.get(event.meta.commandId) ?? 0) + 1);
    return event.position !== String(at + 1) || event.revision !== next;
  });
  const torn = events.filter((event) => commands.get(event.meta.commandId) !== event.meta.count);
  expect({ gaps, torn }).toEqual({ gaps: [], torn: [] });
}

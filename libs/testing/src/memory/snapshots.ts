import type { Snapshot, Snapshots } from '@ponte/event-sourcing';

/** Snapshots in memory, which a test can damage. */
export class MemorySnapshots implements Snapshots {
  readonly kept = new Map<string, Snapshot>();
  saves = 0;

  async load(stream: string): Promise<Snapshot | undefined> {
    return this.kept.get(stream);
  }

  async save(snapshot: Snapshot): Promise<void> {
    this.saves += 1;
    const before = this.kept.get(snapshot.stream);
    if (before?.shape === snapshot.shape && before.revision >= snapshot.revision) return;
    this.kept.set(snapshot.stream, {
      ...snapshot,
      parts: new Map([...snapshot.parts].map(([digest, part]) => [digest, part.slice()])),
    });
  }
}

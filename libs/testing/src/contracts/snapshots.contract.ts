import type { Snapshot, Snapshots } from '@ponte/event-sourcing';
import { freshId } from '../recorded';

interface SnapshotsUnderTest {
  readonly snapshots: Snapshots;
  /** Simulates a restart of the process. */
  reopen(): Promise<Snapshots>;
  cleanUp(): Promise<void>;
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const plain = (snapshot: Snapshot | undefined) =>
  snapshot && {
    ...snapshot,
    parts: [...snapshot.parts]
      .map(([digest, part]) => [digest, [...part]] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  };

/** The contract of the `Snapshots` port. */
export function describeSnapshots(name: string, open: () => Promise<SnapshotsUnderTest>): void {
  describe(`${name} as Snapshots`, () => {
    let under: SnapshotsUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.cleanUp());

    const snapshotOf = (stream: string, revision: number, change: Partial<Snapshot> = {}): Snapshot => ({
      stream,
      revision,
      shape: 1,
      body: `{"é":${revision}}`,
      parts: new Map([
        ['a', bytes(0, 255, 7)],
        ['b', bytes()],
      ]),
      ...change,
    });

    test('a snapshot is loaded as it was saved, even after a restart', async () => {
      const stream = `purse-${freshId()}`;
      expect(await under.snapshots.load(stream)).toBeUndefined();
      await under.snapshots.save(snapshotOf(stream, 41));
      expect(plain(await under.snapshots.load(stream))).toEqual(plain(snapshotOf(stream, 41)));
      expect(plain(await (await under.reopen()).load(stream))).toEqual(plain(snapshotOf(stream, 41)));
    });

    test('a later snapshot replaces it and its parts, and an earlier one has no effect', async () => {
      const stream = `purse-${freshId()}`;
      const later = snapshotOf(stream, 50, {
        body: 'later',
        parts: new Map([
          ['b', bytes()],
          ['c', bytes(9)],
        ]),
      });
      await under.snapshots.save(snapshotOf(stream, 41));
      await under.snapshots.save(later);
      await under.snapshots.save(snapshotOf(stream, 49));
      expect(plain(await under.snapshots.load(stream))).toEqual(plain(later));
    });

    test('a snapshot of another shape replaces it, whatever its revision', async () => {
      const stream = `purse-${freshId()}`;
      await under.snapshots.save(snapshotOf(stream, 41));
      await under.snapshots.save(snapshotOf(stream, 7, { shape: 2 }));
      expect(await under.snapshots.load(stream)).toMatchObject({ revision: 7, shape: 2 });
    });

    test('of concurrent saves, the latest revision remains with its own parts', async () => {
      const stream = `purse-${freshId()}`;
      const all = [1, 2, 3, 4].map((at) => snapshotOf(stream, at, { parts: new Map([[`part-${at}`, bytes(at)]]) }));
      await Promise.all(all.map((one) => under.snapshots.save(one)));
      const kept = await under.snapshots.load(stream);
      expect(kept?.revision).toBe(4);
      expect(plain(kept)).toEqual(plain(all[3]));
    });
  });
}

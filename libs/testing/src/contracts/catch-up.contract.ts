import { join } from 'node:path';
import { sql } from 'kysely';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { catchUp, createReadModelCheckpoints, rebuildableReadModel, rebuildReadModels } from '@ponte/read-models';
import { temporaryFolder } from '../temporary-folder';
import type { ReadModelsUnderTest } from './rebuild.contract';
import { list, sums, counted, logOf } from './catch-up.testing';

const all = { limit: 100, cursor: null, createdFrom: null, createdTo: null };

/** The contract of the projector of declared lists, for any database. */
export function describeCatchUp(name: string, make: () => Promise<ReadModelsUnderTest>): void {
  describe(`a projector of lists on ${name}`, () => {
    const folder = temporaryFolder();
    const [apples, pears] = [list('apples', 'apple'), list('pears', 'pear')];
    const reader = { name: 'fruits', parts: [apples.part, pears.part] };
    let under: ReadModelsUnderTest;
    let store: EventStore;
    let events: Recorded[];
    beforeEach(async () => {
      under = await make();
      await createReadModelCheckpoints(under.readModels).prepare();
      for (const part of reader.parts) await part.prepare(under.readModels);
      store = under.openLog(join(folder.path, `${Math.random()}.db`));
      for (const [stream, revision] of [
        ['apple-a', 0],
        ['pear-a', 0],
        ['apple-a', 1],
        ['apple-b', 0],
      ] as const)
        await store.append(stream, revision - 1, [counted(`${stream}-${revision}`)]);
      events = await logOf(store);
    });
    afterEach(async () => {
      await store.close();
      await under.cleanUp();
    });
    afterAll(() => folder.remove());

    const slice = (some: readonly Recorded[] = events) => ({
      events: some,
      position: some.at(-1)?.position ?? '',
      caughtUp: true,
    });
    const totals = async ({ tableIn }: typeof apples): Promise<Record<string, number>> =>
      Object.fromEntries(
        (await tableIn(under.readModels).page({ where: {}, page: all })).items.map(({ id, total }) => [id, total]),
      );
    const checkpointOf = async (projector = 'fruits') => createReadModelCheckpoints(under.readModels).load(projector);

    it('has the rows of every list and the checkpoint after a run of the log', async () => {
      await catchUp({ reader, readModels: under.readModels, store }).apply(slice(), 1);
      expect(await totals(apples)).toEqual({ a: 2, b: 1 });
      expect(await totals(pears)).toEqual({ a: 1 });
      expect(await checkpointOf()).toBe(events.at(-1)?.position);
    });

    it('writes neither rows nor checkpoint when one list fails, and all of them at the next try', async () => {
      const following = catchUp({ reader, readModels: under.readModels, store });
      await sql`ALTER TABLE pears RENAME TO elsewhere`.execute(under.readModels);
      await expect(following.apply(slice(), 1)).rejects.toThrow();
      expect(await totals(apples)).toEqual({});
      expect(await checkpointOf()).toBeUndefined();
      await sql`ALTER TABLE elsewhere RENAME TO pears`.execute(under.readModels);
      await following.apply(slice(), 1);
      expect([await totals(apples), await totals(pears)]).toEqual([{ a: 2, b: 1 }, { a: 1 }]);
      expect(await checkpointOf()).toBe(events.at(-1)?.position);
    });

    it('rewrites rows that the database lost when the lease is granted again', async () => {
      const following = catchUp({ reader, readModels: under.readModels, store });
      await following.apply(slice(), 1);
      await sql`DELETE FROM apples`.execute(under.readModels);
      await following.apply(slice(), 2);
      expect(await totals(apples)).toEqual({ a: 2, b: 1 });
    });

    it('writes nothing after another process got the lease', async () => {
      await catchUp({ reader, readModels: under.readModels, store }).apply(slice(events.slice(0, 1)), 2);
      await catchUp({ reader, readModels: under.readModels, store }).apply(slice(), 1);
      expect(await totals(apples)).toEqual({ a: 1 });
      expect(await checkpointOf()).toBe(events[0]?.position);
    });

    it('starts from any checkpoint, and needs the earlier events of a stream only from the store', async () => {
      await catchUp({ reader, readModels: under.readModels, store }).apply(slice(events.slice(2)), 1);
      expect(await totals(apples)).toEqual({ a: 2, b: 1 });
    });

    it('has the same rows after a rebuild and continues from its checkpoint', async () => {
      await catchUp({ reader, readModels: under.readModels, store }).apply(slice(), 1);
      await sql`DELETE FROM apples`.execute(under.readModels);
      const wrong = { id: 'c', revision: 9, created_at: '2026-01-01T00:00:00.000Z', total: 9 };
      await apples.tableIn(under.readModels).put(wrong);
      await rebuildReadModels({
        store,
        readModels: under.readModels,
        shadow: under.shadow,
        rebuild: [rebuildableReadModel(reader)],
      });
      expect([await totals(apples), await totals(pears)]).toEqual([{ a: 2, b: 1 }, { a: 1 }]);
      expect(await checkpointOf()).toBe(await store.head());
    });

    it('has a table and a checkpoint for each version, and a new version is built next to the old one', async () => {
      await catchUp({ reader, readModels: under.readModels, store }).apply(slice(), 1);
      const later = list('apples', 'apple', 2);
      const next = { name: 'fruits', parts: [later.part, pears.part] };
      await rebuildReadModels({
        store,
        readModels: under.readModels,
        shadow: under.shadow,
        rebuild: [rebuildableReadModel(next)],
      });
      expect(rebuildableReadModel(next).tables).toEqual(['apples_v2', 'pears']);
      expect([await totals(apples), await totals(later)]).toEqual([
        { a: 2, b: 1 },
        { a: 200, b: 100 },
      ]);
      expect(await checkpointOf('fruits_v2')).toBe(await store.head());
      expect(() => list('apples', 'apple', 1.5)).toThrow('version must be a whole number of 1 or more');
    });

    describe('with tables that count events', () => {
      const counting = { name: 'fruit-totals', parts: [sums.part] };
      const follow = () => catchUp({ reader: counting, readModels: under.readModels, store });
      const shown = async (): Promise<Record<string, string>> =>
        Object.fromEntries(
          (await sums.tableIn(under.readModels).select((rows) => rows)).map(({ fruit, total }) => [
            fruit,
            `${total / 10n ** 20n}`,
          ]),
        );
      const all = { apple: '3', pear: '1' };
      beforeEach(() => sums.part.prepare(under.readModels));

      it('counts each event once, however often and in whatever slices it arrives', async () => {
        const following = follow();
        await following.apply(slice(events.slice(0, 2)), 1);
        await following.apply(slice(events.slice(0, 2)), 1);
        await following.apply(slice(), 1);
        await following.apply(slice(), 2);
        await follow().apply(slice(), 3);
        expect([await shown(), await checkpointOf('fruit-totals')]).toEqual([all, events.at(-1)?.position]);
      });

      it('counts no event twice after a commit with an unknown outcome or a concurrent rebuild', async () => {
        const [first, same] = [follow(), follow()];
        await first.apply(slice(events.slice(0, 1)), 1);
        // Simulates a commit of `first` whose outcome it does not know.
        await same.apply(slice(events.slice(0, 2)), 1);
        await first.apply(slice(events.slice(0, 3)), 1);
        expect(await shown()).toEqual({ apple: '2', pear: '1' });
        await rebuildReadModels({
          store,
          readModels: under.readModels,
          shadow: under.shadow,
          rebuild: [rebuildableReadModel(counting)],
        });
        await first.apply(slice(), 1);
        expect(await shown()).toEqual(all);
        expect(await checkpointOf('fruit-totals')).toBe(await store.head());
      });

      it('changes neither counts nor checkpoint for a process that has lost the lease', async () => {
        const [old, next] = [follow(), follow()];
        await old.apply(slice(events.slice(0, 1)), 1);
        await next.apply(slice(events.slice(0, 2)), 2);
        await old.apply(slice(), 1);
        expect([await shown(), await checkpointOf('fruit-totals')]).toEqual([
          { apple: '1', pear: '1' },
          events[1]?.position,
        ]);
        expect(await old.checkpoints.save('fruit-totals', events.at(-1)?.position ?? '', 1)).toBe(false);
        await next.apply(slice(), 2);
        expect(await shown()).toEqual(all);
      });

      it('moves the checkpoint past irrelevant events, and never back', async () => {
        const following = follow();
        const end = String(Number(events.at(-1)?.position) + 1);
        await following.apply(slice(events.slice(0, 1)), 1);
        expect(await following.checkpoints.save('fruit-totals', end, 1)).toBe(true);
        expect(await following.checkpoints.save('fruit-totals', events[0]?.position ?? '', 1)).toBe(true);
        expect(await checkpointOf('fruit-totals')).toBe(end);
      });

      it('stops when its checkpoint has moved back, because the changes in between were lost', async () => {
        const following = follow();
        await following.apply(slice(events.slice(0, 2)), 1);
        await createReadModelCheckpoints(under.readModels).save('fruit-totals', events[0]?.position ?? '', 1);
        await expect(following.apply(slice(), 1)).rejects.toThrow('the checkpoint of fruit-totals moved back');
      });
    });
  });
}

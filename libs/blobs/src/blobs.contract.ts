import { randomBytes } from 'node:crypto';
import type { BlobPage, Blobs } from '@ponte/event-sourcing';
import { BlobDeleted, BlobExists } from '@ponte/event-sourcing';

export interface BlobsUnderTest {
  open(): Promise<Blobs>;
  /** The same store after its process has died. */
  reopen(): Promise<Blobs>;
  /** Everything that the store keeps, as a thief would carry it away. */
  everything(): Promise<readonly Buffer[]>;
}

const END_OF_TIME = Date.UTC(2999, 0, 1);
const MAX_PAGES = 10_000;

async function listed(blobs: Blobs, beforeMs: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page: BlobPage = await blobs.list({ beforeMs, cursor });
    ids.push(...page.ids);
    if (page.next === null) return ids;
    cursor = page.next;
  }
  throw new Error('the listing returned too many pages');
}

const META = { contentType: 'image/png' };
let made = 0;
const newId = (): string => `ev_01J${String((made += 1)).padStart(23, '0')}`;

/** What every adapter of the blobs' port does. */
export function blobsContract(name: string, { open, reopen, everything }: BlobsUnderTest): void {
  describe(`${name} as a store of blobs`, () => {
    it('gives back what was put, after a restart too; undefined for what never was', async () => {
      const blobs = await open();
      const bytes = randomBytes(100_000);
      const id = newId();
      await blobs.put(id, bytes, META);
      await expect(blobs.get(id)).resolves.toEqual({ bytes, meta: META });
      await expect((await reopen()).get(id)).resolves.toEqual({ bytes, meta: META });
      await expect(blobs.get(newId())).resolves.toBeUndefined();
    });

    it('keeps nothing at all, and ten megabytes', async () => {
      const blobs = await open();
      for (const bytes of [Buffer.alloc(0), randomBytes(10 * 1024 * 1024)]) {
        const id = newId();
        await blobs.put(id, new Uint8Array(bytes), META);
        expect((await blobs.get(id))?.bytes.equals(bytes)).toBe(true);
      }
    });

    it('the same again changes nothing; other bytes, or another type, under the id are refused', async () => {
      const blobs = await open();
      const id = newId();
      await blobs.put(id, Buffer.from('one'), META);
      await blobs.put(id, Buffer.from('one'), META);
      await expect(blobs.put(id, Buffer.from('two'), META)).rejects.toThrow(BlobExists);
      await expect(blobs.put(id, Buffer.from('one'), { contentType: 'image/jpeg' })).rejects.toThrow(BlobExists);
      expect((await blobs.get(id))?.bytes.toString()).toBe('one');
    });

    it('of many that put other bytes under one id, one wins and is there whole', async () => {
      const blobs = await open();
      const id = newId();
      const requests = Array.from({ length: 10 }, (_, i) => Buffer.alloc(50_000, i));
      const results = await Promise.allSettled(requests.map((bytes) => blobs.put(id, bytes, META)));
      const winners = results.flatMap((result, i) => (result.status === 'fulfilled' ? [i] : []));
      expect(winners).toHaveLength(1);
      expect((await blobs.get(id))?.bytes.equals(requests[winners[0] as number] as Buffer)).toBe(true);
      for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(BlobExists);
    });

    it('what was deleted is gone, from copies of the store too, and never comes back', async () => {
      const blobs = await open();
      const id = newId();
      await blobs.put(id, Buffer.from('document'), META);
      await blobs.delete(id);
      await blobs.delete(id);
      await expect(blobs.get(id)).resolves.toBeUndefined();
      await expect((await reopen()).get(id)).resolves.toBeUndefined();
      await expect(blobs.put(id, Buffer.from('document'), META)).rejects.toThrow(BlobDeleted);
      const never = newId();
      await blobs.delete(never);
      await expect(blobs.get(never)).resolves.toBeUndefined();
    });

    it('lists what was put before a time, all of it over its pages, and nothing that was deleted', async () => {
      const blobs = await open();
      const ids = Array.from({ length: 5 }, newId);
      for (const id of ids) await blobs.put(id, Buffer.from(id), META);
      const [gone, ...kept] = ids as [string, ...string[]];
      await blobs.delete(gone);
      const all = await listed(blobs, END_OF_TIME);
      for (const id of kept) expect(all.filter((one) => one === id)).toEqual([id]);
      expect(all).not.toContain(gone);
      await expect(listed(blobs, 0)).resolves.toEqual([]);
    });

    it('nothing lies there in clear', async () => {
      const blobs = await open();
      const canary = 'CANARY-OF-A-DOCUMENT-52998224725';
      await blobs.put(newId(), Buffer.from(canary.repeat(100)), META);
      for (const bytes of await everything()) expect(bytes.includes('CANARY')).toBe(false);
    });

    it.each(['', '../x', 'a/b', 'a\\b', '.', 'x\0', 'é', 'x'.repeat(101)])(
      '%j is no id, and never a path',
      async (id) => {
        const blobs = await open();
        for (const act of [() => blobs.put(id, Buffer.alloc(1), META), () => blobs.get(id), () => blobs.delete(id)])
          await expect(act()).rejects.toThrow(RangeError);
      },
    );
  });
}

import { randomBytes } from 'node:crypto';
import type { BlobPage, Blobs } from '@ponte/event-sourcing';
import { BlobDeleted, BlobExists } from '@ponte/event-sourcing';

interface BlobsUnderTest {
  open(): Promise<Blobs>;
  /** Opens the same store again, as if its process had died. */
  reopen(): Promise<Blobs>;
  /** All bytes that the store keeps, as an attacker would see them. */
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

/** The contract suite of the `Blobs` port. */
export function blobsContract(name: string, { open, reopen, everything }: BlobsUnderTest): void {
  describe(`${name} as a store of blobs`, () => {
    it('returns what was put, even after a restart, and undefined for unknown ids', async () => {
      const blobs = await open();
      const bytes = randomBytes(100_000);
      const id = newId();
      await blobs.put(id, bytes, META);
      await expect(blobs.get(id)).resolves.toEqual({ bytes, meta: META });
      await expect((await reopen()).get(id)).resolves.toEqual({ bytes, meta: META });
      await expect(blobs.get(newId())).resolves.toBeUndefined();
    });

    it('stores empty blobs and blobs of ten megabytes', async () => {
      const blobs = await open();
      for (const bytes of [Buffer.alloc(0), randomBytes(10 * 1024 * 1024)]) {
        const id = newId();
        await blobs.put(id, new Uint8Array(bytes), META);
        expect((await blobs.get(id))?.bytes.equals(bytes)).toBe(true);
      }
    });

    it('ignores a repeated put, and refuses other bytes or another type for the same id', async () => {
      const blobs = await open();
      const id = newId();
      await blobs.put(id, Buffer.from('one'), META);
      await blobs.put(id, Buffer.from('one'), META);
      await expect(blobs.put(id, Buffer.from('two'), META)).rejects.toThrow(BlobExists);
      await expect(blobs.put(id, Buffer.from('one'), { contentType: 'image/jpeg' })).rejects.toThrow(BlobExists);
      expect((await blobs.get(id))?.bytes.toString()).toBe('one');
    });

    it('accepts exactly one of many concurrent puts with different bytes for one id', async () => {
      const blobs = await open();
      const id = newId();
      const requests = Array.from({ length: 10 }, (_, i) => Buffer.alloc(50_000, i));
      const results = await Promise.allSettled(requests.map((bytes) => blobs.put(id, bytes, META)));
      const winners = results.flatMap((result, i) => (result.status === 'fulfilled' ? [i] : []));
      expect(winners).toHaveLength(1);
      expect((await blobs.get(id))?.bytes.equals(requests[winners[0] as number] as Buffer)).toBe(true);
      for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(BlobExists);
    });

    it('deletes permanently, even from copies of the store', async () => {
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

    it('lists everything put before a time, in pages, without deleted ids', async () => {
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

    it('stores nothing unencrypted', async () => {
      const blobs = await open();
      const canary = 'CANARY-OF-A-DOCUMENT-52998224725';
      await blobs.put(newId(), Buffer.from(canary.repeat(100)), META);
      for (const bytes of await everything()) expect(bytes.includes('CANARY')).toBe(false);
    });

    it.each(['', '../x', 'a/b', 'a\\b', '.', 'x\0', 'é', 'x'.repeat(101)])(
      'refuses the id %j and never uses it as a path',
      async (id) => {
        const blobs = await open();
        for (const act of [() => blobs.put(id, Buffer.alloc(1), META), () => blobs.get(id), () => blobs.delete(id)])
          await expect(act()).rejects.toThrow(RangeError);
      },
    );
  });
}

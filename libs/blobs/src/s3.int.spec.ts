import type { SqlitePersonalData } from '@ponte/eventstore-sqlite';
import { openSqlitePersonalData } from '@ponte/eventstore-sqlite';
import { temporaryFolder } from '@ponte/testing';
import { Agent } from 'undici';
import { BlobDamaged } from '@ponte/event-sourcing';
import { blobsContract } from './blobs.contract';
import { S3Blobs } from './s3';
import { readListing } from './s3-listing';
import { BucketServer, CREDENTIALS, NOW } from './testing/bucket-server';

const META = { contentType: 'image/png' };

let folder: ReturnType<typeof temporaryFolder>;

let personalData: SqlitePersonalData;
let bucket: BucketServer;

let warnings: string[] = [];

const agent = new Agent();

beforeAll(async () => {
  folder = temporaryFolder();
  personalData = openSqlitePersonalData({ directory: folder.path });
  bucket = await BucketServer.start();
});

afterAll(async () => {
  await agent.destroy();
  await bucket.stop();
  await personalData.close();
  folder.remove();
});

beforeEach(() => {
  warnings = [];
  bucket.misbehave = () => undefined;
});

const open = async (credentials = CREDENTIALS): Promise<S3Blobs> =>
  new S3Blobs(
    {
      bucketUrl: `${bucket.url}/`,
      region: 'sa-east-1',
      credentials,
      timeoutMs: 60_000,
      now: () => NOW,
      warn: (reason) => {
        warnings.push(reason);
      },
      dispatcher: agent,
    },
    personalData,
  );

blobsContract('a bucket', {
  open: () => open(),
  reopen: () => open(),
  everything: async () => [...bucket.objects.values()],
});

describe('blobs in a bucket', () => {
  it.each<[string, number | 'cut']>([
    ['500', 500],
    ['503', 503],
    ['403', 403],
    ['a redirect', 307],
    ['a cut connection', 'cut'],
  ])('treat %s as unavailable, never as a missing blob', async (_, fault) => {
    const blobs = await open();
    bucket.misbehave = () => fault;
    for (const act of [
      () => blobs.put('ev_FAULT', Buffer.alloc(1), META),
      () => blobs.get('ev_FAULT'),
      () => blobs.delete('ev_FAULTY'),
    ])
      await expect(act()).rejects.toMatchObject({ name: 'Unavailable' });
    expect(warnings).toHaveLength(3);
    expect(warnings.join('')).not.toMatch(/127\.0\.0\.1|secret/);
  });

  it('skip foreign objects when listing, and never treat a malformed listing as empty', async () => {
    const blobs = await open();
    await blobs.put('ev_LISTED', Buffer.from('x'), META);
    await expect(blobs.list({ beforeMs: NOW, cursor: null })).resolves.toMatchObject({ ids: [] });
    expect(readListing('<ListBucketResult/>')).toEqual({ objects: [], next: null });
    expect(readListing('<ListBucketResult><Contents><Key>ev_1</Key></Contents></ListBucketResult>')).toEqual({
      objects: [{ key: 'ev_1', modifiedMs: Infinity }],
      next: null,
    });
    expect(() => readListing('<html>login</html>')).toThrow(TypeError);
    bucket.misbehave = () => 503;
    await expect(blobs.list({ beforeMs: NOW + 1, cursor: null })).rejects.toMatchObject({ name: 'Unavailable' });
  });

  it('repeat a request once if the store closed its idle connection', async () => {
    const blobs = await open();
    await blobs.put('ev_IDLE', Buffer.from('x'), META);
    for (const act of [
      () => blobs.get('ev_IDLE'),
      () => blobs.put('ev_IDLE', Buffer.from('x'), META),
      () => blobs.delete('ev_IDLE'),
    ]) {
      let cuts = 1;
      bucket.misbehave = () => ((cuts -= 1) >= 0 ? 'cut' : undefined);
      await act();
    }
    expect(warnings).toEqual([]);
  });

  it('repeat a write that conflicts with another writer', async () => {
    const blobs = await open();
    let conflicts = 2;
    bucket.misbehave = (method) => (method === 'PUT' && (conflicts -= 1) >= 0 ? 409 : undefined);
    await blobs.put('ev_CONFLICT', Buffer.from('x'), META);
    expect((await blobs.get('ev_CONFLICT'))?.bytes.toString()).toBe('x');
  });

  it('accept a repeated put whose reply was lost', async () => {
    const blobs = await open();
    await blobs.put('ev_LOST', Buffer.from('x'), META);
    bucket.misbehave = (method) => (method === 'PUT' ? 'cut' : undefined);
    await expect(blobs.put('ev_LOST', Buffer.from('x'), META)).rejects.toMatchObject({ name: 'Unavailable' });
    bucket.misbehave = () => undefined;
    await blobs.put('ev_LOST', Buffer.from('x'), META);
  });

  it('detect content changed by the store, and fail with a wrong access key', async () => {
    const blobs = await open();
    await blobs.put('ev_CHANGED', Buffer.from('x'), META);
    const [path, whole] = [...bucket.objects].find(([key]) => key.endsWith('ev_CHANGED')) as [string, Buffer];
    bucket.objects.set(path, whole.subarray(0, -1));
    await expect(blobs.get('ev_CHANGED')).rejects.toThrow(BlobDamaged);
    await expect((await open({ ...CREDENTIALS, secretAccessKey: 'another' })).get('ev_CHANGED')).rejects.toMatchObject({
      name: 'Unavailable',
    });
  });
});

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SqlitePersonalData } from '@ponte/eventstore-sqlite';
import { openSqlitePersonalData } from '@ponte/eventstore-sqlite';
import { temporaryFolder } from '@ponte/testing';
import { BlobDamaged } from '@ponte/event-sourcing';
import { blobsContract } from './blobs.contract';
import { FolderBlobs } from './folder';

const NOW = Date.UTC(2026, 2, 1);
const META = { contentType: 'application/pdf' };

let folder: ReturnType<typeof temporaryFolder>;
let personalData: SqlitePersonalData;
beforeAll(() => {
  folder = temporaryFolder();
  personalData = openSqlitePersonalData({ directory: folder.path });
});
afterAll(async () => {
  await personalData.close();
  folder.remove();
});

const root = (): string => join(folder.path, 'blobs');
const open = (): Promise<FolderBlobs> => FolderBlobs.open(root(), personalData, NOW);
const files = (): string[] =>
  readdirSync(root(), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
const fileOf = (id: string): string => files().find((path) => path.endsWith(`${id}.blob`)) ?? '';

blobsContract('a folder', { open, reopen: open, everything: async () => files().map((path) => readFileSync(path)) });

describe('the blob folder', () => {
  it('is readable only by the owner, has shards, and contains no draft without a write in progress', async () => {
    const blobs = await open();
    await blobs.put('ev_ABCXY', Buffer.from('x'), META);
    expect(fileOf('ev_ABCXY')).toBe(join(root(), 'xy', 'ev_ABCXY.blob'));
    expect(statSync(fileOf('ev_ABCXY')).mode & 0o777).toBe(0o600);
    expect(statSync(join(root(), 'xy')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(root(), 'drafts'))).toEqual([]);
  });

  it('removes the draft of a writer that died, but not that of one at work', async () => {
    const drafts = join(root(), 'drafts');
    mkdirSync(drafts, { recursive: true });
    writeFileSync(join(drafts, 'dead'), 'half');
    writeFileSync(join(drafts, 'alive'), 'half');
    utimesSync(join(drafts, 'dead'), NOW / 1000 - 7_200, NOW / 1000 - 7_200);
    utimesSync(join(drafts, 'alive'), NOW / 1000 - 60, NOW / 1000 - 60);
    await open();
    expect(readdirSync(drafts)).toEqual(['alive']);
  });

  it('also removes old drafts when it is swept', async () => {
    const blobs = await open();
    const drafts = join(root(), 'drafts');
    for (const [name, age] of [
      ['dead', 90_000],
      ['alive', 60],
    ] as const) {
      writeFileSync(join(drafts, name), 'half');
      utimesSync(join(drafts, name), NOW / 1000 - age, NOW / 1000 - age);
    }
    await blobs.list({ beforeMs: NOW - 86_400_000, cursor: null });
    expect(readdirSync(drafts)).toEqual(['alive']);
  });

  it('detects every truncation and every changed bit of a stored blob', async () => {
    const blobs = await open();
    await blobs.put('ev_DAMAGE', Buffer.from('a document'), META);
    const whole = readFileSync(fileOf('ev_DAMAGE'));
    const path = fileOf('ev_DAMAGE');
    for (let length = 0; length < whole.length; length += 7) {
      writeFileSync(path, whole.subarray(0, length));
      await expect(blobs.get('ev_DAMAGE')).rejects.toThrow(BlobDamaged);
    }
    for (let at = 0; at < whole.length; at += 3) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      writeFileSync(path, changed);
      await expect(blobs.get('ev_DAMAGE')).rejects.toThrow(BlobDamaged);
    }
    writeFileSync(path, whole);
    expect((await blobs.get('ev_DAMAGE'))?.bytes.toString()).toBe('a document');
  });

  it('detects a blob that was moved to another id', async () => {
    const blobs = await open();
    await blobs.put('ev_MINE', Buffer.from('mine'), META);
    await blobs.put('ev_YOURS', Buffer.from('yours'), META);
    cpSync(fileOf('ev_MINE'), fileOf('ev_YOURS'));
    await expect(blobs.get('ev_YOURS')).rejects.toThrow(BlobDamaged);
  });

  it('cannot read a copy from before a deletion, and completes an interrupted deletion', async () => {
    const blobs = await open();
    await blobs.put('ev_COPIED', Buffer.from('document'), META);
    const path = fileOf('ev_COPIED');
    const copy = readFileSync(path);
    await blobs.delete('ev_COPIED');
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, copy);
    await expect(blobs.get('ev_COPIED')).resolves.toBeUndefined();
    await blobs.delete('ev_COPIED');
    expect(existsSync(path)).toBe(false);
  });
});

import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PersonalData, BlobMeta, BlobPage, Blobs, StoredBlob } from '@ponte/event-sourcing';
import { BlobExists } from '@ponte/event-sourcing';
import { blobSubject, checkBlobId, openBlob, sealBlob } from './sealed-blob';

/** Readable only by the owner of the process, although everything is encrypted. */
const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
/** A draft older than this belongs to a process that died; writing one takes moments. */
const ABANDONED_AFTER_MS = 3_600_000;
/** Ids end in random letters. Two of them split a million files into folders of about a thousand. */
const SHARD_LETTERS = 2;
const SUFFIX = '.blob';

/** Blobs in a folder that several processes may share. */
export class FolderBlobs implements Blobs {
  private readonly drafts: string;

  private constructor(
    private readonly folder: string,
    private readonly personalData: PersonalData,
  ) {
    this.drafts = join(folder, 'drafts');
  }

  /** Creates the folder and removes abandoned drafts. `nowMs` is system time. */
  static async open(folder: string, personalData: PersonalData, nowMs: number): Promise<FolderBlobs> {
    const blobs = new FolderBlobs(folder, personalData);
    await mkdir(blobs.drafts, { recursive: true, mode: OWNER_ONLY_FOLDER });
    await blobs.clearDrafts(nowMs - ABANDONED_AFTER_MS);
    return blobs;
  }

  async put(id: string, bytes: Uint8Array, meta: BlobMeta): Promise<void> {
    const path = this.pathOf(id);
    const sealed = await sealBlob(this.personalData, id, bytes, meta);
    if (await this.place(path, sealed)) return;
    const existing = await this.get(id);
    // Deleted between the two calls; sealing again will then throw `BlobDeleted`.
    if (existing === undefined) return this.put(id, bytes, meta);
    if (!existing.bytes.equals(bytes) || existing.meta.contentType !== meta.contentType) throw new BlobExists();
    // The process that placed the file may have died before it was durable.
    await syncFolder(dirname(path));
  }

  async get(id: string): Promise<StoredBlob | undefined> {
    const path = this.pathOf(id);
    try {
      return await openBlob(this.personalData, id, await readFile(path));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async delete(id: string): Promise<void> {
    const path = this.pathOf(id);
    await this.personalData.erase(blobSubject(id));
    await rm(path, { force: true });
    await syncFolder(dirname(path)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  /** Each page is one shard. The first page also removes drafts older than `beforeMs`. */
  async list({ beforeMs, cursor }: { readonly beforeMs: number; readonly cursor: string | null }): Promise<BlobPage> {
    const shards = (await readdir(this.folder, { withFileTypes: true }))
      .filter((one) => one.isDirectory() && one.name.length === SHARD_LETTERS && (cursor === null || one.name > cursor))
      .map(({ name }) => name)
      .sort();
    if (cursor === null) await this.clearDrafts(beforeMs);
    const [shard] = shards;
    if (shard === undefined) return { ids: [], next: null };
    const files = (await readdir(join(this.folder, shard))).filter((name) => name.endsWith(SUFFIX));
    const older = await Promise.all(
      files.map(async (name) =>
        (await modifiedMs(join(this.folder, shard, name))) < beforeMs ? [name.slice(0, -SUFFIX.length)] : [],
      ),
    );
    return { ids: older.flat(), next: shards.length > 1 ? shard : null };
  }

  /** Removes drafts of processes that died. */
  private async clearDrafts(beforeMs: number): Promise<void> {
    for (const name of await readdir(this.drafts)) await removeAbandoned(join(this.drafts, name), beforeMs);
  }

  private pathOf(id: string): string {
    checkBlobId(id);
    return join(this.folder, id.slice(-SHARD_LETTERS).toLowerCase(), `${id}${SUFFIX}`);
  }

  /** Places the content atomically and durably, by linking a flushed draft. False if the path already exists. */
  private async place(path: string, content: Buffer): Promise<boolean> {
    const draft = join(this.drafts, randomUUID());
    try {
      await writeFlushed(draft, content);
      const shard = dirname(path);
      if ((await mkdir(shard, { recursive: true, mode: OWNER_ONLY_FOLDER })) !== undefined)
        await syncFolder(this.folder);
      await link(draft, path);
      await syncFolder(shard);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }
}

async function writeFlushed(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY_FILE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new name is stored in its folder. Windows cannot sync folders, and need not. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Infinity if the file was deleted meanwhile, so that it does not count as old. */
async function modifiedMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return Infinity;
    throw error;
  }
}

async function removeAbandoned(path: string, beforeMs: number): Promise<void> {
  try {
    if ((await stat(path)).mtimeMs < beforeMs) await rm(path, { force: true });
  } catch (error) {
    // Another starting process may remove it at the same time.
    if (!isMissing(error)) throw error;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | null)?.code;
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

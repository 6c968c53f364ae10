/** What is kept beside the bytes. */
export interface BlobMeta {
  /** Media type, as the inspection of the bytes found it. */
  readonly contentType: string;
}

export interface StoredBlob {
  readonly bytes: Buffer;
  readonly meta: BlobMeta;
}

/** Other bytes lie under this id. Ids are made once, so it is a mistake of the caller. */
export class BlobExists extends Error {
  override readonly name = 'BlobExists';
  constructor() {
    super('this id has other content');
  }
}

/** The id was deleted: nothing can be put there again. */
export class BlobDeleted extends Error {
  override readonly name = 'BlobDeleted';
  constructor() {
    super('the content of this id was deleted permanently');
  }
}

/** What lies there is not what was put: cut off, changed, or moved from another id. */
export class BlobDamaged extends Error {
  override readonly name = 'BlobDamaged';
  constructor() {
    super('the stored content differs from what was written');
  }
}

export interface BlobPage {
  readonly ids: readonly string[];
  /** Where the next page begins, opaque; null on the last. */
  readonly next: string | null;
}

/**
 * Files, encrypted where they lie, each with a key of its own. An id is 1 to 100 of the characters A to Z, a to z, 0 to
 * 9, _ and -; any other is a RangeError. Throws `Unavailable` ('service-unavailable') when the store cannot be reached.
 */
export interface Blobs {
  /**
   * Durable when it resolves. The same bytes and meta again change nothing; others throw {@link BlobExists}. Throws
   * {@link BlobDeleted}.
   */
  put(id: string, bytes: Uint8Array, meta: BlobMeta): Promise<void>;
  /** Undefined when it does not exist or no longer exists. Throws {@link BlobDamaged}. */
  get(id: string): Promise<StoredBlob | undefined>;
  /**
   * Shreds the key first, so that copies of the store are unreadable too, then removes the bytes. Repeated, and of what
   * never was, it changes nothing.
   */
  delete(id: string): Promise<void>;
  /**
   * What lies there and was put before `beforeMs` of the store's own clock (system time), in no order and in pages of
   * the store's choice; `cursor` null begins. For sweeping up what no one knows of any more.
   */
  list(request: { readonly beforeMs: number; readonly cursor: string | null }): Promise<BlobPage>;
}

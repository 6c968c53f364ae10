/** Metadata stored with the bytes. */
export interface BlobMeta {
  /** Media type, as detected from the bytes. */
  readonly contentType: string;
}

export interface StoredBlob {
  readonly bytes: Buffer;
  readonly meta: BlobMeta;
}

/** The id already has other content. Ids are generated once, so this is a mistake of the caller. */
export class BlobExists extends Error {
  override readonly name = 'BlobExists';
  constructor() {
    super('this id has other content');
  }
}

/** The content of this id was deleted. The id cannot be used again. */
export class BlobDeleted extends Error {
  override readonly name = 'BlobDeleted';
  constructor() {
    super('the content of this id was deleted permanently');
  }
}

/** The stored content differs from what was written: it was truncated, changed or moved from another id. */
export class BlobDamaged extends Error {
  override readonly name = 'BlobDamaged';
  constructor() {
    super('the stored content differs from what was written');
  }
}

export interface BlobPage {
  readonly ids: readonly string[];
  /** Opaque cursor of the next page; null on the last page. */
  readonly next: string | null;
}

/**
 * Files, encrypted at rest, each with its own key. An id consists of 1 to 100 of the characters A to Z, a to z, 0 to 9,
 * _ and -; any other id throws a RangeError. Throws `Unavailable` ('service-unavailable') if the store cannot be
 * reached.
 */
export interface Blobs {
  /**
   * Resolves when the blob is durable. Repeating it with the same bytes and meta changes nothing; different content
   * throws {@link BlobExists}, and a deleted id throws {@link BlobDeleted}.
   */
  put(id: string, bytes: Uint8Array, meta: BlobMeta): Promise<void>;
  /** Undefined if the id was never written or was deleted. Throws {@link BlobDamaged}. */
  get(id: string): Promise<StoredBlob | undefined>;
  /**
   * Destroys the key first, so that copies of the store become unreadable too, then removes the bytes. Does nothing if
   * the id was already deleted or never existed.
   */
  delete(id: string): Promise<void>;
  /**
   * The ids of the blobs put before `beforeMs` (on the store's own system clock), unordered, in pages of a size that
   * the store chooses. Start with `cursor` null. Used to find blobs that nothing refers to any more.
   */
  list(request: { readonly beforeMs: number; readonly cursor: string | null }): Promise<BlobPage>;
}

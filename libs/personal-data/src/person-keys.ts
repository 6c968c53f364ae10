/** Where the wrapped keys of persons lie. Everything is durable when the promise resolves. */
export interface PersonKeys {
  /** Null when it was erased, undefined when there never was one. */
  find(subject: string): Promise<Buffer | null | undefined>;
  /** Keeps a key unless the subject has (or had) one; afterwards `find` tells which it is. */
  add(subject: string, wrapped: Buffer): Promise<void>;
  /** Overwrites the key, and leaves a mark that there shall be no other. */
  erase(subject: string): Promise<void>;
}

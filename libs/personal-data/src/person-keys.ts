/** Storage of the wrapped keys of subjects. Every change is durable when its promise resolves. */
export interface PersonKeys {
  /** Null if the key was erased, undefined if there never was one. */
  find(subject: string): Promise<Buffer | null | undefined>;
  /** Stores a key unless the subject has, or had, one. Afterwards `find` returns the one in effect. */
  add(subject: string, wrapped: Buffer): Promise<void>;
  /** Overwrites the key and marks the subject, so that it never gets another one. */
  erase(subject: string): Promise<void>;
}

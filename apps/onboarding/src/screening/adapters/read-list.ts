import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NameIndex } from '../name-index/name-index.domain';
import { NameIndexBuilder } from '../name-index/name-index-builder.domain';
import type { Steps } from '../steps.domain';
import type { ListedPerson } from '../watch-list.domain';
import { BadList } from './bad-list';
import type { ListSource } from './list-source';
import { runYielding } from './run-yielding';
import { UnListParser } from './un-list';

export interface ReadList {
  readonly index: NameIndex;
  /** The date that the list states for itself; empty if it states none. */
  readonly version: string;
  /** SHA-256 of the file, the same on every process. */
  readonly digest: string;
  /** The memory that its index took while it was made. */
  readonly bytes: number;
}

/** The most that a list may take. */
export interface ListRoom {
  readonly names: number;
  /** Of the memory for its index. */
  readonly bytes: number;
}

/** Entries indexed per step. */
const ENTRIES_A_STEP = 20;
/** Much longer than any name: only the first 400 characters are compared. */
const MAX_NAME_BYTES = 2_000;
/** Hits contain the number of an entry. */
const MAX_NUMBER_BYTES = 200;
const LEFT = 'which is what the other lists leave of the limit';

/**
 * Reads a list piece by piece into an index. Only the index and a piece are in memory, never the whole text. Other work
 * of the process has its turn in between. Throws {@link BadList} if the list is invalid, has a huge name, or needs more
 * than the room.
 */
export async function readList(source: ListSource, room: ListRoom): Promise<ReadList> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new UnListParser();
  const builder = new NameIndexBuilder(source.name);
  for await (const bytes of source.read()) {
    hash.update(bytes);
    await runYielding(added(builder, parser.push(decode(decoder, bytes)), source.name, room));
    await nextTurn();
  }
  await runYielding(added(builder, parser.push(decode(decoder)), source.name, room));
  const { version } = parser.end();
  const { bytes } = builder;
  return { version, bytes, index: await runYielding(builder.build()), digest: hash.digest('hex') };
}

function* added(builder: NameIndexBuilder, people: readonly ListedPerson[], list: string, room: ListRoom): Steps<void> {
  for (const [i, person] of people.entries()) {
    assertUsualSizes(person, builder.people + 1);
    builder.add(person);
    if (builder.names > room.names) throw new BadList(`the list ${list} has more than ${room.names} names, ${LEFT}`);
    if (builder.bytes > room.bytes)
      throw new BadList(`the entries of the list ${list} take more than ${room.bytes} bytes of memory, ${LEFT}`);
    if (i % ENTRIES_A_STEP === ENTRIES_A_STEP - 1) yield;
  }
}

function assertUsualSizes({ entryId, names }: ListedPerson, position: number): void {
  if (Buffer.byteLength(entryId) > MAX_NUMBER_BYTES)
    throw new BadList(`the number of entry ${position} of the list has more than ${MAX_NUMBER_BYTES} bytes`);
  if (names.some(({ text }) => Buffer.byteLength(text) > MAX_NAME_BYTES))
    throw new BadList(`a name of entry ${entryId} of the list has more than ${MAX_NAME_BYTES} bytes`);
}

/** Without bytes, the end of the text. */
function decode(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new BadList('the list is not valid UTF-8');
  }
}

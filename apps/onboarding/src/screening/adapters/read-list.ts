import { runYielding } from '@ponte/concurrency';
import type { Steps } from '@ponte/kernel';
import type { ListReader } from '@ponte/screening-lists';
import { BadList, parsePublication } from '@ponte/screening-lists';
import type { NameIndex } from '../name-index/name-index.domain';
import { NameIndexBuilder } from '../name-index/name-index-builder.domain';
import type { ListedPerson } from '../watch-list.domain';
import { UnListParser } from './un-list';

export interface ReadList {
  readonly index: NameIndex;
  /** The date that the list states for itself; empty if it states none. */
  readonly version: string;
  /** The memory that its index took while it was made. */
  readonly bytes: number;
}

/** The most that a list may take; `bytes` of the memory for its index. */
export type ListRoom = Readonly<Record<'names' | 'bytes', number>>;

const ENTRIES_PER_STEP = 20;
/** Much longer than any name: only the first 400 characters are compared. */
const MAX_NAME_BYTES = 2_000;
/** Hits contain the number of an entry. */
const MAX_NUMBER_BYTES = 200;
const LEFT = 'which is what the other lists leave of the limit';

/** Reads a list of people into an index, of which it keeps nothing else. Its name is part of the messages. */
export const peopleReader = (name: string): ListReader<ReadList, ListRoom> => ({
  entries: ({ index }) => index.entries,
  published: ({ version }) => parsePublication(version),
  async read(pieces, room) {
    const parser = new UnListParser();
    const builder = new NameIndexBuilder(name);
    for await (const piece of pieces) await runYielding(added(builder, parser.push(piece), name, room));
    const { version } = parser.end();
    const { bytes } = builder;
    return { version, bytes, index: await runYielding(builder.build()) };
  },
});

function* added(builder: NameIndexBuilder, people: readonly ListedPerson[], list: string, room: ListRoom): Steps<void> {
  for (const [i, person] of people.entries()) {
    assertUsualSizes(person, builder.people + 1);
    if (!builder.add(person))
      throw new BadList(`no name of entry ${person.entryId} of the list has a letter or a digit`);
    if (builder.names > room.names) throw new BadList(`the list ${list} has more than ${room.names} names, ${LEFT}`);
    if (builder.bytes > room.bytes)
      throw new BadList(`the entries of the list ${list} take more than ${room.bytes} bytes of memory, ${LEFT}`);
    if (i % ENTRIES_PER_STEP === ENTRIES_PER_STEP - 1) yield;
  }
}

function assertUsualSizes({ entryId, names }: ListedPerson, position: number): void {
  if (Buffer.byteLength(entryId) > MAX_NUMBER_BYTES)
    throw new BadList(`the number of entry ${position} of the list has more than ${MAX_NUMBER_BYTES} bytes`);
  if (names.some(({ text }) => Buffer.byteLength(text) > MAX_NAME_BYTES))
    throw new BadList(`a name of entry ${entryId} of the list has more than ${MAX_NAME_BYTES} bytes`);
}

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
}

/** Entries indexed per step. */
const ENTRIES_A_STEP = 20;

/**
 * Reads a list piece by piece into an index. Only the index and a piece are in memory, never the whole text. Other work
 * of the process has its turn in between. Throws {@link BadList} if the list is invalid or has more than `maxNames`
 * names.
 */
export async function readList(source: ListSource, maxNames: number): Promise<ReadList> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new UnListParser();
  const builder = new NameIndexBuilder(source.name);
  for await (const bytes of source.read()) {
    hash.update(bytes);
    await runYielding(added(builder, parser.push(decode(decoder, bytes))));
    if (builder.names > maxNames)
      throw new BadList(`the list ${source.name} has more than ${maxNames} names, the most beside the other lists`);
    await nextTurn();
  }
  await runYielding(added(builder, parser.push(decode(decoder))));
  const { version } = parser.end();
  return { version, index: await runYielding(builder.build()), digest: hash.digest('hex') };
}

function* added(builder: NameIndexBuilder, people: readonly ListedPerson[]): Steps<void> {
  for (const [i, person] of people.entries()) {
    builder.add(person);
    if (i % ENTRIES_A_STEP === ENTRIES_A_STEP - 1) yield;
  }
}

/** Without bytes, the end of the text. */
function decode(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new BadList('the list is not valid UTF-8');
  }
}

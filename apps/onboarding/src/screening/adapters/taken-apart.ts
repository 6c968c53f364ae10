import type { Steps } from '../steps.domain';

/** Entries that are parsed in one step: some milliseconds. */
const ENTRIES_A_BATCH = 40;
/** Entries that are looked for in one step. */
const ENTRIES_A_STEP = 2_000;

export interface Apart {
  /** The document without the entries that the batches hold: whatever is wrong between them stands here. */
  readonly frame: string;
  /** Whole entries, some at a time. */
  readonly batches: readonly string[];
}

/**
 * The entries of a list, cut out where its text is regular, since a parser reads a document in one go. Text in which a
 * tag may stand without being one (comments, CDATA) is left whole: then it is parsed at once, however long that takes.
 */
export function* takenApart(xml: string): Steps<Apart> {
  const whole = { frame: xml, batches: [] };
  if (xml.includes('<!')) return whole;
  const opening = /<INDIVIDUALS\b[^>]*>/.exec(xml);
  const end = xml.indexOf('</INDIVIDUALS');
  if (!opening || end === -1) return whole;
  const start = opening.index + opening[0].length;
  const entry = /<INDIVIDUAL(?:\s[^>]*)?>[^]*?<\/INDIVIDUAL\s*>/g;
  const batches: string[] = [];
  const between: string[] = [];
  const batch: string[] = [];
  let last = start;
  entry.lastIndex = start;
  for (let found = entry.exec(xml), count = 1; found && found.index < end; found = entry.exec(xml), count += 1) {
    between.push(xml.slice(last, found.index));
    last = entry.lastIndex;
    batch.push(found[0]);
    if (batch.length === ENTRIES_A_BATCH) batches.push(batch.splice(0).join(''));
    if (count % ENTRIES_A_STEP === 0) yield;
  }
  if (batch.length > 0) batches.push(batch.join(''));
  return { frame: xml.slice(0, start) + between.join('') + xml.slice(last), batches };
}

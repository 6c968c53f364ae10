import type { Steps } from '../steps.domain';

/** Entries parsed in one step, which takes a few milliseconds. */
const ENTRIES_A_BATCH = 40;
/** Entries searched for in one step. */
const ENTRIES_A_STEP = 2_000;

export interface SplitList {
  /** The document without the entries in the batches. Anything wrong between entries is still in here. */
  readonly frame: string;
  /** Whole entries, in batches. */
  readonly batches: readonly string[];
}

/**
 * Cuts the entries out of a list's text where it is regular, because the parser reads a document in one go. Text that
 * may contain tags as plain text (comments, CDATA) is left whole and is parsed at once, however long that takes.
 */
export function* splitList(xml: string): Steps<SplitList> {
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

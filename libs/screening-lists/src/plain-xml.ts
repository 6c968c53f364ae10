import { BadList, malformed } from './bad-list';

interface Section {
  readonly opening: string;
  readonly closing: string;
  /** What is written instead of its opening and its closing. */
  readonly marks: readonly [before: string, after: string];
  /** What is written instead of its content. */
  text(content: string): string;
}

const COMMENT: Section = { opening: '<!--', closing: '-->', marks: ['', ''], text: () => '' };
const CDATA: Section = {
  opening: '<![CDATA[',
  closing: ']]>',
  marks: ['', ''],
  text: (content) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
};
/** The XML declaration looks like one. The parser finds its end only if it contains no quotes. */
const PROCESSING_INSTRUCTION: Section = {
  opening: '<?',
  closing: '?>',
  marks: ['<?', '?>'],
  text: (content) => content.replaceAll(/[<>"']/g, ' '),
};
const SECTIONS = [COMMENT, CDATA, PROCESSING_INSTRUCTION];

/** In characters. */
const MAX_TAG = 2 ** 16;
const [LESS_THAN, GREATER_THAN, QUOTE, APOSTROPHE, EXCLAMATION_MARK, QUESTION_MARK] = [60, 62, 34, 39, 33, 63];

/**
 * Rewrites XML piece by piece, without comments, with CDATA as ordinary text, and without `<` and `>` in attributes and
 * processing instructions, so that every tag in the result is a tag. Throws {@link BadList} for a document type: a list
 * has none, and without one there are no entities to expand or to fetch.
 */
export class PlainXml {
  private pending = '';
  private section: Section | undefined;

  /** Takes the next piece, and returns the text that is complete. */
  push(piece: string): string {
    const text = this.pending + piece;
    this.pending = '';
    let plain = '';
    for (let at = 0; at < text.length;) {
      const [written, next] = this.section ? this.readSection(this.section, text, at) : this.readTags(text, at);
      plain += written;
      at = next;
    }
    return plain;
  }

  /** Throws if a comment, CDATA, a processing instruction or a tag does not end. */
  end(): void {
    if (this.section || this.pending !== '') throw malformed();
  }

  private readSection({ closing, marks, text: textOf }: Section, text: string, at: number): Read {
    const end = text.indexOf(closing, at);
    if (end === -1) {
      // The last characters may begin the closing.
      const complete = Math.max(at, text.length - closing.length + 1);
      this.pending = text.slice(complete);
      return [textOf(text.slice(at, complete)), text.length];
    }
    this.section = undefined;
    return [textOf(text.slice(at, end)) + marks[1], end + closing.length];
  }

  /** Reads up to the next section. */
  private readTags(text: string, begin: number): Read {
    let plain = '';
    let written = begin;
    for (let at = begin; ;) {
      const opening = text.indexOf('<', at);
      if (opening === -1) return [plain + text.slice(written), text.length];
      const mark = text.charCodeAt(opening + 1);
      if (mark === EXCLAMATION_MARK || mark === QUESTION_MARK)
        return [plain + text.slice(written, opening) + this.beginSection(text, opening), this.after(text, opening)];
      const end = endOfTag(text, opening);
      if (end === -1) {
        this.pending = text.slice(opening);
        if (this.pending.length > MAX_TAG) throw new BadList(`a tag of the list has more than ${MAX_TAG} characters`);
        return [plain + text.slice(written, opening), text.length];
      }
      at = end + 1;
      if (text.indexOf('>', opening) === end) continue;
      plain += `${text.slice(written, opening)}${text.slice(opening, end).replaceAll('>', '&gt;')}>`;
      written = at;
    }
  }

  /** Returns what is written for the opening; nothing if it is incomplete. */
  private beginSection(text: string, opening: number): string {
    const first = SECTIONS.find((section) =>
      section.opening.startsWith(text.slice(opening, opening + section.opening.length)),
    );
    if (!first) throw new BadList('the list declares a document type');
    if (text.length - opening < first.opening.length) {
      this.pending = text.slice(opening);
      return '';
    }
    this.section = first;
    return first.marks[0];
  }

  private after(text: string, opening: number): number {
    return this.section ? opening + this.section.opening.length : text.length;
  }
}

/** What is written, and where to go on. */
type Read = readonly [written: string, next: number];

/** Returns the index of the `>` that ends the tag; -1 if it is not in the text yet. */
function endOfTag(text: string, opening: number): number {
  for (let at = opening + 1, quote = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LESS_THAN) throw malformed();
    if (quote !== 0) quote = code === quote ? 0 : quote;
    else if (code === GREATER_THAN) return at;
    else if (code === QUOTE || code === APOSTROPHE) quote = code;
  }
  return -1;
}

import { BadList } from './bad-list';

/** In characters. What is outside the entries is parsed at once. */
const MAX_FRAME = 8 * 2 ** 20;
/** In characters. An entry of the UN or of OFAC has a few thousand, and is parsed at once. */
const MAX_ENTRY = 2 ** 20;

/**
 * Cuts the entries out of a list's text, piece by piece, because the parser needs all of the text that it is given at
 * once. The text must be plain: every tag is a tag. Anything wrong between entries stays in the frame.
 */
export class SplitList {
  private frame = '';
  private rest = '';
  private place: 'before' | 'within' | 'after' = 'before';
  private readonly opening: RegExp;
  private readonly openingOfEntry: RegExp;
  private readonly closingOfEntry: RegExp;

  /**
   * @param list the name of the element that contains the entries
   * @param entry the name of the element of an entry
   * @param maxFrame the most characters outside the entries
   */
  constructor(
    list: string,
    entry: string,
    private readonly maxFrame = MAX_FRAME,
  ) {
    this.opening = new RegExp(`<${list}(?:\\s[^>]*)?>`);
    this.openingOfEntry = new RegExp(`<${entry}(?:\\s[^>]*)?>|</${list}`, 'g');
    this.closingOfEntry = new RegExp(`</${entry}\\s*>`, 'g');
  }

  /** Takes the next piece, and returns the entries that are complete, each with its tags. */
  push(piece: string): readonly string[] {
    this.rest += piece;
    if (this.place === 'before') this.findEntries();
    const entries = this.place === 'within' ? this.cutEntries() : [];
    if (this.place === 'after') {
      this.keep(this.rest);
      this.rest = '';
    }
    if (this.place === 'before' && this.rest.length > this.maxFrame) throw this.tooMuch();
    return entries;
  }

  /** The document without its entries. */
  end(): string {
    return this.frame + this.rest;
  }

  private findEntries(): void {
    const opening = this.opening.exec(this.rest);
    if (!opening) return;
    const start = opening.index + opening[0].length;
    this.keep(this.rest.slice(0, start));
    this.rest = this.rest.slice(start);
    this.place = opening[0].endsWith('/>') ? 'after' : 'within';
  }

  private cutEntries(): readonly string[] {
    const { rest, openingOfEntry: opening, closingOfEntry: closing } = this;
    const entries: string[] = [];
    let last = 0;
    for (;;) {
      opening.lastIndex = last;
      const found = opening.exec(rest);
      // The last tag may be incomplete.
      const until = found?.index ?? Math.max(last, rest.lastIndexOf('<'));
      this.keep(rest.slice(last, until));
      last = until;
      if (found?.[0].startsWith('</')) this.place = 'after';
      closing.lastIndex = last;
      if (this.place === 'after' || !found || !closing.test(rest)) break;
      if (closing.lastIndex - last > MAX_ENTRY) throw tooLong();
      entries.push(rest.slice(last, closing.lastIndex));
      last = closing.lastIndex;
    }
    this.rest = rest.slice(last);
    if (this.place === 'within' && this.rest.length > MAX_ENTRY) throw tooLong();
    return entries;
  }

  /** White space between entries means nothing, and would add up. */
  private keep(text: string): void {
    if (text.trim() === '') return;
    this.frame += text;
    if (this.frame.length > this.maxFrame) throw this.tooMuch();
  }

  private tooMuch(): BadList {
    return new BadList(`the list has more than ${this.maxFrame} characters outside its entries`);
  }
}

const tooLong = (): BadList =>
  new BadList(`an entry of the list has more than ${MAX_ENTRY} characters, or does not end`);

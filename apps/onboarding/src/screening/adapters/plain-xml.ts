import { BadList } from './bad-list';

const COMMENT = { opening: '<!--', closing: '-->', text: () => '' };
const CDATA = {
  opening: '<![CDATA[',
  closing: ']]>',
  text: (content: string) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
};
const SECTIONS = [COMMENT, CDATA];

/**
 * Rewrites XML piece by piece, without comments and with CDATA as ordinary text, so that every tag in the result is a
 * tag. Throws {@link BadList} for a document type: a list has none, and without one there are no entities to expand or
 * to fetch.
 */
export class PlainXml {
  private pending = '';
  private section: (typeof SECTIONS)[number] | undefined;

  /** Takes the next piece, and returns the text that is complete. */
  push(piece: string): string {
    let rest = this.pending + piece;
    let plain = '';
    for (;;) {
      const { section } = this;
      const at = rest.indexOf(section?.closing ?? '<!');
      if (at === -1) {
        const kept = section ? Math.min(rest.length, section.closing.length - 1) : rest.endsWith('<') ? 1 : 0;
        const complete = rest.slice(0, rest.length - kept);
        this.pending = rest.slice(rest.length - kept);
        return plain + (section ? section.text(complete) : complete);
      }
      const before = rest.slice(0, at);
      plain += section ? section.text(before) : before;
      rest = rest.slice(at);
      if (section) {
        rest = rest.slice(section.closing.length);
        this.section = undefined;
        continue;
      }
      const begun = SECTIONS.filter(({ opening }) => opening.startsWith(rest.slice(0, opening.length)));
      const [first] = begun;
      if (!first) throw new BadList('the list declares a document type');
      if (rest.length < first.opening.length) {
        this.pending = rest;
        return plain;
      }
      rest = rest.slice(first.opening.length);
      this.section = first;
    }
  }

  /** The text that remains. Throws if a comment or CDATA does not end. */
  end(): string {
    if (this.section) throw new BadList('the list is not well-formed XML');
    return this.pending;
  }
}

import type { XMLParser } from 'fast-xml-parser';
import { XMLValidator } from 'fast-xml-parser';
import { malformed } from './bad-list';

/**
 * Parses XML. Throws {@link BadList} if it is not well-formed, also instead of the parser's own errors (too deep
 * nesting, forbidden names and others), because these may quote the text.
 */
export function parseXml(parser: XMLParser, xml: string): Readonly<Record<string, unknown>> {
  try {
    if (XMLValidator.validate(xml) === true) return parser.parse(xml) as Readonly<Record<string, unknown>>;
  } catch {
    // The error is thrown below.
  }
  throw malformed();
}

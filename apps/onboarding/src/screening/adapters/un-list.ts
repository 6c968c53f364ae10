import { XMLParser } from 'fast-xml-parser';
import { isCalendarDate } from '@ponte/kernel';
import { BadList, PlainXml, SplitList, parseXml } from '@ponte/screening-lists';
import type { ListedBirth } from '../birth-dates.domain';
import type { ListedName, ListedPerson, NameQuality, WatchList } from '../watch-list.domain';
import { countryOf } from './country-names';

type Node = Readonly<Record<string, unknown>>;

const REPEATED: ReadonlySet<string> = new Set([
  'INDIVIDUAL',
  'INDIVIDUAL_ALIAS',
  'INDIVIDUAL_DATE_OF_BIRTH',
  'NATIONALITY',
  'VALUE',
]);
const NAME_PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];

/** A letter as HTML writes it, such as `&atilde;`, which XML does not know, or a reference that was escaped twice. */
const HTML_LETTER =
  /&(?:[a-z]{1,2}(?:acute|grave|circ|tilde|uml|cedil|caron|ring|slash|lig)|eth|thorn|#\d+|#x[\da-f]+);/i;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  // Without this the parser does not decode numeric character references.
  htmlEntities: true,
  isArray: (name) => REPEATED.has(name),
});

/**
 * Parses a list in the format of the consolidated list of the UN Security Council: its individuals, with names one to
 * four, aliases and their quality, birth dates and nationalities. Takes the text in pieces, because a list of many
 * people has hundreds of megabytes as XML. Strict: one entry without a number or a name, with two of either, or with
 * letters of a name as HTML writes them makes the whole file invalid, because an incomplete list would let listed
 * people pass. Organisations and other elements are ignored. Throws {@link BadList}.
 */
export class UnListParser {
  private readonly plain = new PlainXml();
  private readonly split = new SplitList('INDIVIDUALS', 'INDIVIDUAL');
  private people = 0;

  /** Takes the next piece of the text, and returns the people whose entries are complete. */
  push(piece: string): readonly ListedPerson[] {
    const batch = this.split.push(this.plain.push(piece)).join('');
    if (batch === '') return [];
    return this.entriesOf(parseXml(parser, `<ROOT><INDIVIDUALS>${batch}</INDIVIDUALS></ROOT>`)['ROOT'] as Node);
  }

  /** Checks what is outside the entries, and returns the version of the list. */
  end(): Pick<WatchList, 'version'> {
    this.plain.end();
    const root = child(parseXml(parser, this.split.end()), 'CONSOLIDATED_LIST');
    if (!root) throw new BadList('the list has no CONSOLIDATED_LIST element');
    // The entries of one of the two would be lost.
    if (Array.isArray(root['INDIVIDUALS'])) throw new BadList('the list has more than one INDIVIDUALS element');
    if (this.entriesOf(root).length > 0) throw new BadList('the list is not well-formed XML');
    if (this.people === 0) throw new BadList('the list has no entries');
    return { version: text(root, '@dateGenerated') };
  }

  private entriesOf(root: Node): readonly ListedPerson[] {
    const entries = children(child(root, 'INDIVIDUALS') ?? {}, 'INDIVIDUAL');
    const people = entries.map((node, position) => personOf(node, this.people + position));
    this.people += people.length;
    return people;
  }
}

function personOf(node: Node, position: number): ListedPerson {
  const unnumbered = `entry ${position + 1} of the list`;
  const entryId = single(node, 'REFERENCE_NUMBER', unnumbered) || single(node, 'DATAID', unnumbered);
  if (entryId === '') throw new BadList(`${unnumbered} has no number`);
  const entry = `entry ${entryId} of the list`;
  const own = NAME_PARTS.map((part) => single(node, part, entry))
    .filter((part) => part !== '')
    .join(' ');
  if (own === '') throw new BadList(`${entry} has no name`);
  const originals = texts(node, 'NAME_ORIGINAL_SCRIPT');
  const aliases = children(node, 'INDIVIDUAL_ALIAS');
  const written = [own, ...originals, ...aliases.flatMap((alias) => texts(alias, 'ALIAS_NAME'))];
  if (written.some((name) => HTML_LETTER.test(name)))
    throw new BadList(`${entry} has a name with an HTML reference instead of a letter`);
  const nationalities = children(node, 'NATIONALITY').flatMap((one) => values(one));
  return {
    entryId,
    nationalities,
    names: [
      { text: own, quality: 'name' },
      ...originals.map((original) => ({ text: original, quality: 'alias' as const })),
      ...aliases.flatMap(aliasesOf),
    ],
    births: birthsOf(node),
    countries: nationalities.flatMap((one) => countryOf(one) ?? []),
  };
}

/** An alias element may contain several aliases, separated by semicolons, and remarks in brackets. */
function aliasesOf(node: Node): readonly ListedName[] {
  const quality: NameQuality = /^low$/i.test(text(node, 'QUALITY')) ? 'weak-alias' : 'alias';
  return texts(node, 'ALIAS_NAME')
    .flatMap((one) => one.split(';'))
    .map((alias) => alias.replace(/\([^()]*\)/g, ' ').trim())
    .filter((alias) => alias !== '')
    .map((alias) => ({ text: alias, quality }));
}

/**
 * An unreadable birth date must not count against a match, so the whole person then counts as without birth dates.
 * Elements without a date are ignored.
 */
function birthsOf(node: Node): readonly ListedBirth[] {
  const births = children(node, 'INDIVIDUAL_DATE_OF_BIRTH').map(birthOf);
  return births.includes('unreadable')
    ? []
    : births.flatMap((birth) => (birth === 'absent' || birth === 'unreadable' ? [] : [birth]));
}

function birthOf(node: Node): ListedBirth | 'absent' | 'unreadable' {
  if (['DATE', 'FROM_YEAR', 'TO_YEAR', 'YEAR'].some((part) => texts(node, part).length > 1)) return 'unreadable';
  const approximate = /^approx/i.test(text(node, 'TYPE_OF_DATE'));
  const date = text(node, 'DATE').slice(0, 10);
  if (date !== '') {
    if (!isCalendarDate(date)) return 'unreadable';
    return approximate ? years(date.slice(0, 4), date.slice(0, 4), true) : { kind: 'exact', date };
  }
  const [from, to, year] = ['FROM_YEAR', 'TO_YEAR', 'YEAR'].map((part) => text(node, part)) as [string, string, string];
  const first = from || year || to;
  return first === '' ? 'absent' : years(first, to || year || from, approximate);
}

function years(from: string, to: string, approximate: boolean): ListedBirth | 'unreadable' {
  if (![from, to].every((year) => /^\d{4}$/.test(year)) || to < from) return 'unreadable';
  return { kind: 'years', from: Number(from), to: Number(to), approximate };
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

const child = (node: Node, name: string): Node | undefined => (isNode(node[name]) ? node[name] : undefined);

/** The parser returns empty elements as strings, so they are skipped. */
const children = (node: Node, name: string): readonly Node[] =>
  Array.isArray(node[name]) ? node[name].filter(isNode) : [];

const values = (node: Node): readonly string[] =>
  Array.isArray(node['VALUE']) ? node['VALUE'].map(String).filter((value) => value !== '') : [];

/** The text of the first element that has one; empty if none has. */
const text = (node: Node, name: string): string => texts(node, name)[0] ?? '';

/** Like {@link text}. With two, it would be unclear which one counts. */
function single(node: Node, name: string, entry: string): string {
  if (texts(node, name).length > 1) throw new BadList(`${entry} has more than one ${name}`);
  return text(node, name);
}

/** The texts of all elements of the name that have one, even if they have attributes. */
function texts(node: Node, name: string): readonly string[] {
  const value = node[name];
  return (Array.isArray(value) ? value : [value])
    .map((one: unknown) => (isNode(one) ? one['#text'] : one))
    .filter((one) => typeof one === 'string')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

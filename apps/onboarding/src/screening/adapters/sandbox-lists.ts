/** Invented people that screening finds in the sandbox, in the same format as the lists used in production. */

interface FictitiousEntry {
  readonly id: string;
  readonly names: readonly string[];
  readonly aliases?: readonly (readonly [quality: 'Good' | 'Low', name: string])[];
  readonly original?: string;
  readonly birth: string;
  readonly nationality: string;
}

const SANCTIONED: readonly FictitiousEntry[] = [
  {
    id: 'SBi.001',
    names: ['Ezequiel', 'Tadeu', 'Montalvane', 'Brusk'],
    aliases: [
      ['Good', 'Zeca Montalvane'],
      ['Low', 'O Relojoeiro'],
    ],
    birth: exact('1964-07-05'),
    nationality: 'Brazil',
  },
  {
    id: 'SBi.002',
    names: ['Khalid', 'Husayn', 'al-Qarnawi'],
    aliases: [
      ['Good', 'Abd al-Rahman Qarnawi'],
      ['Low', 'Abu Zubarqan'],
    ],
    original: 'خالد حسين القرناوي',
    birth: year('1971'),
    nationality: 'Yemen',
  },
  {
    id: 'SBi.003',
    names: ['Vladimir', 'Shcherbatnov'],
    aliases: [['Good', 'Wladimir Schtscherbatnow']],
    original: 'Владимир Щербатнов',
    birth: between('1953', '1958'),
    nationality: 'Russian Federation',
  },
  {
    id: 'SBi.004',
    names: ['Ri', 'Won', 'Paekchu'],
    birth: exact('1980-02-16'),
    nationality: "Democratic People's Republic of Korea",
  },
  {
    id: 'SBi.005',
    names: ['Célestine', 'Ndoumbé', 'Okwarra'],
    aliases: [['Good', 'Celestina Okuara']],
    birth: year('1968'),
    nationality: 'Democratic Republic of the Congo',
  },
];

const EXPOSED: readonly FictitiousEntry[] = [
  {
    id: 'PEP-0001',
    names: ['Aurélia', 'Quintanilha', 'Vasquezello'],
    birth: exact('1959-11-23'),
    nationality: 'Brazil',
  },
  {
    id: 'PEP-0002',
    names: ['Teobaldo', 'Figueiraval', 'Neto'],
    aliases: [['Good', 'Teo Figueiraval']],
    birth: exact('1972-03-08'),
    nationality: 'Brazil',
  },
  { id: 'PEP-0003', names: ['Margaux', 'Delacourtier'], birth: year('1965'), nationality: 'France' },
];

function exact(date: string): string {
  return `<TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>${date}</DATE>`;
}

function year(value: string): string {
  return `<TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>${value}</YEAR>`;
}

function between(from: string, to: string): string {
  return `<TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>${from}</FROM_YEAR><TO_YEAR>${to}</TO_YEAR>`;
}

const PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];

const entry = (
  { id, names, aliases = [], original = '', birth, nationality }: FictitiousEntry,
  position: number,
): string =>
  `<INDIVIDUAL><DATAID>${900_000 + position}</DATAID>` +
  PARTS.map((part, i) => `<${part}>${names[i] ?? ''}</${part}>`).join('') +
  `<REFERENCE_NUMBER>${id}</REFERENCE_NUMBER><NAME_ORIGINAL_SCRIPT>${original}</NAME_ORIGINAL_SCRIPT><NATIONALITY><VALUE>${nationality}</VALUE></NATIONALITY>` +
  aliases
    .map(
      ([quality, name]) =>
        `<INDIVIDUAL_ALIAS><QUALITY>${quality}</QUALITY><ALIAS_NAME>${name}</ALIAS_NAME></INDIVIDUAL_ALIAS>`,
    )
    .join('') +
  `<INDIVIDUAL_DATE_OF_BIRTH>${birth}</INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL>`;

const list = (people: readonly FictitiousEntry[]): string =>
  '<?xml version="1.0" encoding="UTF-8"?><CONSOLIDATED_LIST dateGenerated="sandbox">' +
  `<INDIVIDUALS>${people.map(entry).join('')}</INDIVIDUALS><ENTITIES/></CONSOLIDATED_LIST>`;

export const SANDBOX_SANCTIONS = list(SANCTIONED);
export const SANDBOX_PEP = list(EXPOSED);

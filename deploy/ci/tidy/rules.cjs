/**
 * The rules of `deploy/ci/tidy.mjs`. Each rule takes one file and returns its findings. Rules do not read files
 * themselves, so that a test can plant a violation of each.
 */
const { deadAnchors, deadFiles, deadLinks, proseOf } = require('./documents.cjs');
const { adapterName, fileRole, folderName, hyphenatedRole, missingRole } = require('./names.cjs');
const { letTest, testsAtImport } = require('./tests.cjs');
const { bannedWords } = require('./words.cjs');

const MAX_COLUMNS = 120;

const code = (file) => /\.(ts|js|mjs|cjs)$/.test(file);

/**
 * Markdown is exempt, because tables, links, headings and images cannot be wrapped, and Prettier wraps its prose. So are
 * the import of a single name and a line with only a regular expression, which cannot be wrapped either.
 */
const longLines = (file, lines) =>
  code(file) || file.endsWith('.sh')
    ? lines.flatMap((text, index) =>
        [...text].length > MAX_COLUMNS &&
        !/https?:\/\/\S{60}|['"`][^'"`]{100,}['"`]|^import \{ \w+ \} from |^ *\/(?![*/]).*\/\w*[;,]?$/.test(text)
          ? [{ line: index + 1, message: `longer than ${MAX_COLUMNS} columns: wrap it` }]
          : [],
      )
    : [];

const twoDocComments = (file, lines) =>
  code(file)
    ? [...lines.join('\n').matchAll(/\*\/[ \t]*\n[ \t]*\/\*\*/g)].map(({ index }) => ({
        line: lines.join('\n').slice(0, index).split('\n').length,
        message: 'two doc comments in a row: only the second one documents what follows; join them',
      }))
    : [];

const adrTitle = (file, lines) => {
  const number = /^docs\/adr\/(\d{4})-[^/]*\.md$/.exec(file)?.[1];
  return number !== undefined && !new RegExp(`^# ${Number(number)}\\. [A-Z0-9\`].*[^.]$`).test(lines[0] ?? '')
    ? [{ line: 1, message: `an ADR starts with "# ${Number(number)}. " and its decision, without a full stop` }]
    : [];
};

const ADR_SECTIONS = ['Context', 'Decision', 'Enforcement', 'Alternatives', 'Consequences'];

/** The form of an ADR: its status, and every section once in this order. */
const adrForm = (file, lines) => {
  if (!/^docs\/adr\/\d{4}-[^/]*\.md$/.test(file)) return [];
  const sections = lines.filter((text) => text.startsWith('## ')).map((text) => text.slice(3).trim());
  const status = lines.some((text) => /^\*\*Status:\*\* (accepted|superseded by)/.test(text));
  return status && sections.join() === ADR_SECTIONS.join()
    ? []
    : [
        {
          line: 1,
          message: `an ADR has a "**Status:**" line and the sections ${ADR_SECTIONS.join(', ')}, in this order`,
        },
      ];
};

const sectionReferences = (file, lines) =>
  proseOf(file, lines).flatMap(({ line, text }) =>
    /§\s?\d/.test(text)
      ? [{ line, message: 'a § reference to a document outside the repository: link the page instead' }]
      : [],
  );

const RULES = {
  'banned-words': bannedWords,
  'long-lines': longLines,
  'two-doc-comments': twoDocComments,
  'file-role': fileRole,
  'hyphenated-role': hyphenatedRole,
  'folder-name': folderName,
  'missing-role': missingRole,
  'adapter-name': adapterName,
  'adr-title': adrTitle,
  'adr-form': adrForm,
  'dead-links': deadLinks,
  'dead-anchors': deadAnchors,
  'dead-files': deadFiles,
  'section-references': sectionReferences,
  'let-test': letTest,
  'tests-at-import': testsAtImport,
};

/**
 * @param {string} file path from the root of the repository
 * @param {string} text its content
 * @param {import('./rules.d.cts').Repository} repository what the rules ask about the other files
 * @returns {{ file: string, line: number, rule: string, message: string }[]} every finding, in the order of the rules
 */
function findingsIn(file, text, repository) {
  const lines = text.split('\n');
  return Object.entries(RULES).flatMap(([rule, check]) =>
    check(file, lines, repository).map((finding) => ({ file, rule, ...finding })),
  );
}

module.exports = { findingsIn, RULES: Object.keys(RULES) };

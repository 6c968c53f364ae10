import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@ponte/contracts';
import type { AccountRequestEvent } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import * as ts from 'typescript';
import { FACTS, historyEntryDto, wireType } from '../../gateway/src/console-api/review/queue.mapper';
import { historyEntry } from '../../onboarding/src/review/history.domain';

const CONSOLE = join(__dirname, '../../gateway/console');
const read = (file: string): string => readFileSync(join(CONSOLE, file), 'utf8');

type Words = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The texts that a file of the console exports. It has no imports. */
function wordsOf(file: string): Words {
  const { outputText } = ts.transpileModule(read(file), { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const words = {};
  // A file of this repository, which the browser loads.
  new Function('exports', outputText)(words);
  return words;
}

/** The sentences of the history, as code, by the type of the entry. */
function sentences(): ReadonlyMap<string, string> {
  const file = 'case/case-history.js';
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const found = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'SENTENCES' && node.initializer)
      for (const property of (node.initializer as ts.ObjectLiteralExpression).properties)
        if (ts.isPropertyAssignment(property))
          found.set((property.name as ts.StringLiteral).text, property.initializer.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** An event whose fields all have a value, so that its entry has all of its facts. */
const anyEvent = (type: string) =>
  ({
    type,
    data: new Proxy({}, { get: () => [] }),
    meta: { occurredAt: '2026-03-02T12:00:00.000Z' },
  }) as unknown as Recorded<AccountRequestEvent>;

const entries = contracts.ACCOUNT_REQUEST_EVENTS.map(({ type }) => historyEntry(anyEvent(type)));

describe('the history of a case', () => {
  it('keeps every fact on the wire, and the wire has no other names', () => {
    const made = new Set(entries.flatMap(({ facts }) => Object.keys(facts)));
    expect([...made].sort()).toEqual([...FACTS].sort());
  });

  it('has a sentence in the console for each type of entry, and no other sentence', () => {
    expect([...sentences().keys()].sort()).toEqual(
      contracts.ACCOUNT_REQUEST_EVENTS.map(({ type }) => wireType(type)).sort(),
    );
  });

  it.each(entries.map((entry) => [wireType(entry.type), entry] as const))(
    'tells %s by the facts that it has',
    (type, entry) => {
      const code = sentences().get(type) ?? '';
      const used = [...code.matchAll(/facts(?:\.(\w+)|\['([\w-]+)'\])/g)].map(([, name, quoted]) => name ?? quoted);
      const known = Object.keys(historyEntryDto(entry, () => null).facts);
      expect(used.filter((name) => !known.includes(name as string))).toEqual([]);
    },
  );
});

describe('the words of the console', () => {
  const shell = wordsOf('shell/words.js');
  const standing = wordsOf('accounts/standing-words.js');
  it.each([
    ['statuses', shell['STATUSES'], Object.keys(contracts.accountRequestMachine)],
    ['stages', shell['STAGES'], Object.keys(contracts.reviewStageMachine)],
    ['causes', shell['CAUSES'], contracts.REVIEW_CAUSES],
    ['purposes of views', shell['PURPOSES'], contracts.VIEW_PURPOSES],
    ['reasons of rejections', shell['REJECTIONS'], contracts.INTERNAL_REASONS],
    ['reasons of verdicts', shell['VERDICT_REASONS'], contracts.VERDICT_REASONS],
    ['verdicts', shell['VERDICTS'], contracts.HIT_VERDICTS],
    ['reasons for partners', shell['PARTNER_REASONS'], contracts.PARTNER_REASONS],
    ['items of information', shell['ITEMS'], contracts.INFORMATION_ITEMS],
    ['roles', shell['ROLES'], contracts.STAFF_ROLES],
    ['kinds of duplicates', shell['TRAITS'], contracts.TRAIT_KINDS],
    ['sectors', shell['SECTORS'], contracts.SECTORS],
    ['documents', shell['DOCUMENTS'], [...new Set([...contracts.DOCUMENT_TYPES, ...contracts.TAX_DOCUMENT_TYPES])]],
    ['reasons of freezes', standing['FREEZE_REASONS'], contracts.FREEZE_REASONS],
    ['reasons of releases', standing['RELEASE_REASONS'], contracts.RELEASE_REASONS],
    ['reasons of closings', standing['CLOSING_REASONS'], contracts.CLOSING_REASONS],
    ['entries of the standing', standing['STANDING_ENTRIES'], contracts.STANDING_ENTRIES],
  ] as const)('name all %s of the API, and nothing else', (_kind, words, values) => {
    expect(Object.keys(words ?? {}).sort()).toEqual([...values].sort());
  });

  it('show the reason that the partner gets for each rejection', () => {
    for (const reason of contracts.INTERNAL_REASONS)
      expect([reason, shell['REJECTIONS']?.[reason]]).toMatchObject([reason, { shown: contracts.shownReason(reason) }]);
  });
});

/** The rule of `deploy/ci/tidy.mjs` on words and phrases that are not used. */
const { proseOf } = require('./documents.cjs');

const banned = ([pattern, instead]) => ({ pattern: new RegExp(`\\b(?:${pattern})\\b`, 'giu'), instead });

/** Phrases that read like a translation, with what to write instead. */
const BANNED = [
  ['whoever', 'the caller, the client, a reader'],
  ['nobody', 'no one, or name who: "no process", "no caller"'],
  ['somebody', 'someone, or name who'],
  ['anew', 'again'],
  ['of before(?=[,.;:]| and| too)', 'previous, earlier'],
  ['carr(?:y|ies|ied|ying) (?:\\w+ )?out', 'execute, process or run'],
  ['for ever', 'forever'],
  ['is none', 'does not exist'],
  ['is wanted|are wanted', 'is requested, is required'],
  ['for so long', 'until then'],
  ['wish|wishes', 'command or request'],
  ['stands? (?:there|beside)', 'is there, is next to'],
  ['is told|are told', 'is notified, is reported'],
  ['rebuil(?:d|ds|t|ding) (?:(?:a|all|the) )?views?|views? (?:is|are) rebuilt', 'read model'],
  ['\\w*sweepers?', 'the sweep, or what it does'],
  ['kinds? of events?', 'event type'],
  ['another (?:\\w+ ){1,2}than', '"a different ... from", or "a ... other than"'],
  ['also (?:if|when|after)', '"even if", "even when", or "and after"'],
  ['poison (?:messages?|events?)', 'parked event, or what cannot be processed'],
].map(banned);

/** Banned words that are names of other programs: the Unix user as which the tests run PostgreSQL. */
const QUOTED = { 'libs/testing/src/postgres/local.ts': /'nobody'/ };

/** What begins a line before its words: indentation and the mark of a comment or a quotation. */
const MARK = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/|#|>)?\s*/;

/** The matches that begin in the line, also those that end in the next one. */
const matchesFrom = (pattern, text, next) => {
  const continued = next === undefined ? '' : ` ${next.replace(MARK, '')}`;
  return [...(text.trimEnd() + continued).matchAll(pattern)].filter(({ index }) => index < text.trimEnd().length);
};

const bannedWords = (file, lines) => {
  const prose = proseOf(file, lines).filter(({ text }) => !QUOTED[file]?.test(text));
  return prose.flatMap(({ line, text }, index) => {
    const next = prose[index + 1]?.line === line + 1 ? prose[index + 1].text : undefined;
    return BANNED.flatMap(({ pattern, instead }) =>
      matchesFrom(pattern, text, next).map(([word]) => ({ line, message: `"${word}": write ${instead}` })),
    );
  });
};

module.exports = { bannedWords };

import { isCalendarDate, REWARD_TIERS } from '@ponte/kernel';
import { Length } from 'class-validator';
import type { FieldType } from './field-types';
import { isText, ofText, rule, says } from './field-types';

/**
 * A control character, half of a surrogate pair, or a character that changes the text direction and makes a text look
 * different from how it is stored. Names exclude all other invisible characters too.
 */
export const UNWRITABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const UNWRITABLE_BUT_LINES = /(?![\n\r\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
/** The same in regular-expression syntax of every language, for the documents. JSON texts have no half pairs. */
export const WRITABLE = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$';
const WRITABLE_LINES = `^(?:[\\n\\r\\t]|${WRITABLE.slice(1, -2)})*$`;
const MAX_EMAIL = 254;
/** The domain consists of non-empty labels separated by dots, so that there is only one way to match it. */
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;
const BLANK = { type: 'string', pattern: '^\\s*$' };
const TIERS: readonly number[] = REWARD_TIERS;
/** The largest accepted figure about a person. */
const MAX_FIGURE = 1e15;

/** The message for a text with {@link UNWRITABLE} characters. */
export const MUST_BE_WRITABLE = 'must not contain control characters, such as line breaks or changes of text direction';

const writable = rule(
  'isWritable',
  ofText((value) => !UNWRITABLE.test(value)),
  'invalid-format',
  MUST_BE_WRITABLE,
);

/** A text whose content is checked by the rules of onboarding; it may be empty. */
export const loose = (max: number): FieldType => ({
  rules: [isText, Length(0, max, says('invalid-format', `must have at most ${max} characters`)), writable],
  schema: { type: 'string', maxLength: max, pattern: WRITABLE },
});

/** A text that is not blank. */
export const words = (max: number): FieldType => ({
  rules: [
    isText,
    Length(1, max, says('invalid-format', `must have 1 to ${max} characters`)),
    writable,
    rule(
      'isNotBlank',
      ofText((value) => value.trim() !== ''),
      'invalid-format',
      'must not be blank',
    ),
  ],
  schema: { type: 'string', minLength: 1, maxLength: max, pattern: WRITABLE, not: BLANK },
});

/** A text that is not blank and may have several lines. */
export const lines = (max: number): FieldType => ({
  rules: [
    isText,
    Length(1, max, says('invalid-format', `must have 1 to ${max} characters`)),
    rule(
      'isWritableText',
      ofText((value) => value.trim() !== '' && !UNWRITABLE_BUT_LINES.test(value)),
      'invalid-format',
      'must not be blank or contain control characters other than line breaks and tabs',
    ),
  ],
  schema: { type: 'string', minLength: 1, maxLength: max, pattern: WRITABLE_LINES, not: BLANK },
});

export const email: FieldType = {
  rules: [
    isText,
    writable,
    rule(
      'isMailAddress',
      ofText((value) => value.length <= MAX_EMAIL && EMAIL.test(value)),
      'invalid-format',
      'must be an e-mail address',
    ),
  ],
  schema: { type: 'string', format: 'email', maxLength: MAX_EMAIL },
};

/** No living person was born earlier. A year such as 0190 is a typing error that would pass as an adult's. */
const EARLIEST_BIRTH = '1900-01-01';

export const birthDate: FieldType = {
  rules: [
    isText,
    rule('isDate', ofText(isCalendarDate), 'invalid-format', 'must be a date such as 1990-05-17'),
    rule(
      'isRecentEnough',
      ofText((value) => !isCalendarDate(value) || value >= EARLIEST_BIRTH),
      'invalid-format',
      `must not be before ${EARLIEST_BIRTH}`,
    ),
  ],
  schema: { type: 'string', format: 'date', pattern: '^(19|[2-9][0-9])' },
};

/** The reward tier of an account request. */
export const rewardTier: FieldType = {
  rules: [
    rule('isNumeric', (value) => typeof value === 'number', 'invalid-type', 'must be a number'),
    rule(
      'isListedNumber',
      (value) => typeof value !== 'number' || TIERS.includes(value),
      'invalid-enum-value',
      `must be one of: ${TIERS.join(', ')}`,
    ),
  ],
  // Not an `enum`, because generators that create one type per list cannot mix whole and other numbers.
  schema: { oneOf: TIERS.map((value) => ({ type: 'number', const: value })) },
};

/** A JSON number that only people read. JSON's `1e400` is parsed as infinity and refused. */
export const figure = (least: number): FieldType => ({
  rules: [
    rule('isFigure', (value) => typeof value === 'number', 'invalid-type', 'must be a number'),
    rule(
      'isSaneFigure',
      (value) => typeof value !== 'number' || (value >= least && value <= MAX_FIGURE),
      'invalid-format',
      `must be a number from ${least} to ${MAX_FIGURE}`,
    ),
  ],
  schema: { type: 'number', format: 'double', minimum: least, maximum: MAX_FIGURE },
});

import { isCalendarDate } from '@ponte/kernel';
import { Length } from 'class-validator';
import type { FieldType } from './field-types';
import { isText, ofText, rule, says } from './field-types';

/**
 * A control character, half of a surrogate pair, or a sign that turns the direction of what follows, with which a name
 * reads otherwise than it is compared: nothing that a person writes.
 */
const UNWRITABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const UNWRITABLE_BUT_LINES = /(?![\n\r\t])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
/** The same for the documents, in words that every language's expressions know; a JSON text has no half pairs. */
const WRITABLE = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]*$';
const WRITABLE_LINES = `^(?:[\\n\\r\\t]|${WRITABLE.slice(1, -2)})*$`;
const MAX_EMAIL = 254;
/** Without dots between two dots, so that there is one way to read it. */
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;
const BLANK = { type: 'string', pattern: '^\\s*$' };
/** As large as figures about a person get. */
const MAX_FIGURE = 1e15;

const writable = rule(
  'isWritable',
  ofText((value) => !UNWRITABLE.test(value)),
  'invalid-format',
  'must not contain control characters',
);

/** A text whose content a rule of onboarding judges; it may be empty. */
export const loose = (max: number): FieldType => ({
  rules: [isText, Length(0, max, says('invalid-format', `must have at most ${max} characters`)), writable],
  schema: { type: 'string', maxLength: max, pattern: WRITABLE },
});

/** A text that says something. */
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

/** The same over several lines. */
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

/** No one alive was born earlier: a year 0190 is a slip of the hand that would pass for someone of age. */
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

/** A JSON number from a list. */
export const numberOf = (values: readonly number[]): FieldType => ({
  rules: [
    rule('isNumeric', (value) => typeof value === 'number', 'invalid-type', 'must be a number'),
    rule(
      'isListedNumber',
      (value) => typeof value !== 'number' || values.includes(value),
      'invalid-enum-value',
      `must be one of: ${values.join(', ')}`,
    ),
  ],
  // Not an `enum`: generators that write one type per list cannot mix whole numbers and others.
  schema: { oneOf: values.map((value) => ({ type: 'number', const: value })) },
});

/** A JSON number that is only ever read by people. JSON's `1e400` is read as infinity, and refused. */
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

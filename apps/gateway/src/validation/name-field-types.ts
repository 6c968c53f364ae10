import { Length } from 'class-validator';
import type { FieldType } from './field-types';
import { isText, ofText, rule, says } from './field-types';
import { UNWRITABLE } from './person-field-types';

/** A joiner between two visible characters. Some scripts, such as Persian and Sinhala, need it between letters. */
const JOINER_INSIDE =
  /(?<=[^\p{Default_Ignorable_Code_Point}\u2800\p{Cc}])[\u200c\u200d](?=[^\p{Default_Ignorable_Code_Point}\u2800\p{Cc}])/gu;
/** Characters that show nothing: with them two names that look the same would compare as different. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/u;
const VISIBLE_LETTER = /(?!\p{Default_Ignorable_Code_Point})\p{L}/u;
/**
 * The same in regular-expression syntax of every language, for the documents: a joiner only inside the name, and no
 * other invisible character of the basic plane.
 */
const SEEN =
  '[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e' +
  '\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8]';
const NAME_PATTERN = `^(?:${SEEN}+(?:[\\u200c\\u200d]${SEEN}+)*)?$`;
/** Only ASCII, because not every language has classes of letters in its regular expressions. */
const WITHOUT_LETTER = { type: 'string', pattern: '^[\\s!-@\\[-`{-~]*$' };

const visible = rule(
  'isVisible',
  ofText((value) => !UNWRITABLE.test(value) && !INVISIBLE.test(value.replace(JOINER_INSIDE, ''))),
  'invalid-format',
  'must not contain control or invisible characters, such as line breaks, changes of text direction or zero-width spaces',
);

/** The name of a person: at least one visible letter, and no invisible characters. */
export const personName = (max: number): FieldType => ({
  rules: [
    isText,
    Length(1, max, says('invalid-format', `must have 1 to ${max} characters`)),
    visible,
    rule(
      'hasLetter',
      ofText((value) => VISIBLE_LETTER.test(value)),
      'invalid-format',
      'must contain at least one letter',
    ),
  ],
  schema: { type: 'string', minLength: 1, maxLength: max, pattern: NAME_PATTERN, not: WITHOUT_LETTER },
});

/** As {@link personName}, but it may be blank. The rules of onboarding decide whether it is required. */
export const looseName = (max: number): FieldType => ({
  rules: [
    isText,
    Length(0, max, says('invalid-format', `must have at most ${max} characters`)),
    visible,
    rule(
      'isBlankOrHasLetter',
      ofText((value) => value.trim() === '' || VISIBLE_LETTER.test(value)),
      'invalid-format',
      'must contain at least one letter',
    ),
  ],
  schema: { type: 'string', maxLength: max, pattern: NAME_PATTERN },
});

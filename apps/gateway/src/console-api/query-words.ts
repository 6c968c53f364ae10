import { ValidateBy } from 'class-validator';
import type { FieldType } from '../validation/field-types';
import { says } from '../validation/field-types';

/** The distinct words of a query parameter, which may be repeated or contain several words separated by commas. */
export function wordsOf<T extends string>(value: unknown): readonly T[] {
  const sent = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return [...new Set(sent.flatMap((one) => String(one).split(',')))] as T[];
}

/** A query parameter with a list of words from `values`. */
export const wordList = (values: readonly string[]): FieldType => ({
  rules: [
    ValidateBy(
      {
        name: 'isWordList',
        validator: { validate: (value: unknown) => wordsOf(value).every((one) => values.includes(one)) },
      },
      says('invalid-enum-value', `must be one or more of: ${values.join(', ')}`),
    ),
  ],
  schema: { type: 'array', items: { type: 'string', enum: [...values] } },
});

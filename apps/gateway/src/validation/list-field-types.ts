import { IsArray, ValidateBy } from 'class-validator';
import type { FieldType, RuleContext } from './field-types';
import { rule, says } from './field-types';
import type { ErrorCode } from '@ponte/kernel';
import { isEvidenceFileId, isUuid } from '@ponte/kernel';

/** A list of up to `max` different strings, each one of `values` if they are given. */
export const textList = (max: number, values?: readonly string[], longest = 100): FieldType => {
  const element = (value: unknown) =>
    values
      ? values.includes(value as string)
      : typeof value === 'string' && value.length >= 1 && value.length <= longest;
  const code = values ? 'invalid-enum-value' : 'invalid-format';
  const message = values ? `must be one of: ${values.join(', ')}` : `must be a string of 1 to ${longest} characters`;
  return {
    rules: [
      IsArray(says('invalid-type', 'must be a list')),
      rule(
        'isShortSet',
        (value) => !Array.isArray(value) || (value.length <= max && new Set(value).size === value.length),
        'invalid-format',
        `must have at most ${max} elements, all different`,
      ),
      ValidateBy(
        { name: 'isListElement', validator: { validate: element } },
        { each: true, message, context: { code, element } satisfies RuleContext },
      ),
    ],
    schema: {
      type: 'array',
      maxItems: max,
      uniqueItems: true,
      items: values ? { type: 'string', enum: [...values] } : { type: 'string', minLength: 1, maxLength: longest },
    },
  };
};

/** A list of `min` to `max` elements, each checked by `element`. */
const listOf = (
  min: number,
  max: number,
  items: object,
  element: (value: unknown) => boolean,
  code: ErrorCode,
  message: string,
): FieldType => ({
  rules: [
    IsArray(says('invalid-type', 'must be a list')),
    rule(
      'hasLength',
      (value) => !Array.isArray(value) || (value.length >= min && value.length <= max),
      'invalid-format',
      `must have ${min} to ${max} elements`,
    ),
    ValidateBy(
      { name: 'isElement', validator: { validate: element } },
      { each: true, message, context: { code, element } satisfies RuleContext },
    ),
  ],
  schema: { type: 'array', minItems: min, maxItems: max, items },
});

/** A list of words of a fixed set. */
export const listOfWords = (min: number, values: readonly string[], max = values.length): FieldType =>
  listOf(
    min,
    max,
    { type: 'string', enum: [...values] },
    (value) => values.includes(value as string),
    'invalid-enum-value',
    `must be one of: ${values.join(', ')}`,
  );

/** A list of UUIDs, which may be empty. */
export const uuids = (max: number): FieldType =>
  listOf(
    0,
    max,
    { type: 'string', format: 'uuid' },
    (value) => typeof value === 'string' && isUuid(value),
    'invalid-format',
    'must be a UUID',
  );

/** A list of ids of uploaded files, at least one. */
export const fileIds = (max: number): FieldType =>
  listOf(
    1,
    max,
    { type: 'string', pattern: '^ev_[A-Z0-9]+$' },
    isEvidenceFileId,
    'invalid-format',
    'must be the id of an uploaded file',
  );

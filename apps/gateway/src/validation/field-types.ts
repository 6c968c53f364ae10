import type { ErrorCode } from '@ponte/kernel';
import { ASSET_IDS, MAX_AMOUNT_LENGTH, MAX_WHOLE_DIGITS, isUuid, parseDecimal, parseInstant } from '@ponte/kernel';
import type { ValidationOptions } from 'class-validator';
import { IsBoolean, IsIn, IsInt, IsObject, IsString, Length, maxLength, ValidateBy } from 'class-validator';

/** The context stored with a rule: the code of its violation and, for a list, the test of one element. */
export interface RuleContext {
  readonly code: ErrorCode;
  readonly element?: (value: unknown) => boolean;
}

/** A kind of field: its rules and its schema in the OpenAPI document. */
export interface FieldType {
  readonly rules: readonly PropertyDecorator[];
  readonly schema: Readonly<Record<string, unknown>>;
}

type Message = NonNullable<ValidationOptions['message']>;

/** The options of a rule: its message and the code of its violation. */
export const says = (code: ErrorCode, message: Message): ValidationOptions => ({
  message,
  context: { code } satisfies RuleContext,
});

export const isText = IsString(says('invalid-type', 'must be a string'));

/** A custom rule with a name, checked by `test`. */
export const rule = (
  name: string,
  test: (value: unknown) => boolean,
  code: ErrorCode,
  message: Message,
): PropertyDecorator => ValidateBy({ name, validator: { validate: test } }, says(code, message));

/** A test for strings. Other types pass, because another rule reports them. */
export const ofText = (test: (text: string) => boolean) => (value: unknown) => typeof value !== 'string' || test(value);

/**
 * A string of `min` to `max` characters. `form` is the message for a text that does not match the pattern, and for any
 * other length if there is only one. A text that is too long is not compared with the pattern, which can take seconds.
 */
export const text = (min: number, max: number, pattern?: RegExp, form?: string): FieldType => ({
  rules: [
    isText,
    Length(min, max, says('invalid-format', lengthMessage(min, max, form))),
    ...(pattern
      ? [
          rule(
            'matchesPattern',
            ofText((value) => !maxLength(value, max) || pattern.test(value)),
            'invalid-format',
            form ?? `must match the pattern ${pattern.source}`,
          ),
        ]
      : []),
  ],
  schema: { type: 'string', minLength: min, maxLength: max, ...(pattern ? { pattern: pattern.source } : {}) },
});

const lengthMessage = (min: number, max: number, form?: string): string =>
  min === max ? (form ?? `must have ${min} characters`) : `must have ${min} to ${max} characters`;

/** An id that means nothing to Ponte, such as one of a caller, a bank or a vendor. */
export const opaqueId = (max: number): FieldType =>
  text(1, max, /^[!-~]+$/, 'must have only printable ASCII characters, without spaces');

export const oneOf = (values: readonly string[]): FieldType => ({
  rules: [isText, IsIn(values, says('invalid-enum-value', `must be one of: ${values.join(', ')}`))],
  schema: { type: 'string', enum: [...values] },
});

export const asset: FieldType = oneOf(ASSET_IDS);

export const uuid: FieldType = {
  rules: [isText, rule('isCanonicalUuid', ofText(isUuid), 'invalid-format', 'must be a UUID')],
  schema: { type: 'string', format: 'uuid' },
};

export const instant: FieldType = {
  rules: [
    isText,
    rule(
      'isInstant',
      ofText((value) => parseInstant(value) !== undefined),
      'invalid-format',
      'must be an RFC 3339 time such as 2026-01-31T12:00:00.000Z',
    ),
  ],
  schema: { type: 'string', format: 'date-time' },
};

const isNumber = (value: unknown) => typeof value === 'number';

const PLAIN_DECIMAL = /^(0|[1-9]\d*)(\.\d+)?$/;

/** Why the text is not an amount; undefined if it is one. */
function amountFault(value: string): string | undefined {
  if (value.length > MAX_AMOUNT_LENGTH) return `must have at most ${MAX_AMOUNT_LENGTH} characters`;
  if (!PLAIN_DECIMAL.test(value) || !/[1-9]/.test(value))
    return 'must be a positive decimal such as 12.50, without a sign, an exponent or leading zeros';
  return parseDecimal(value) ? undefined : `must have at most ${MAX_WHOLE_DIGITS} digits before the decimal point`;
}

/** Matches zero in any notation, to exclude it from amounts. */
const ZERO = { type: 'string', pattern: '^[0.]*$' };

/**
 * A positive decimal string. A JSON number has its own code: it is the most common mistake and loses digits. Decimals
 * beyond the asset's scale have the right format: a quote cuts them off and every other operation refuses them.
 */
export const amount: FieldType = {
  rules: [
    rule(
      'amountIsNoNumber',
      (value) => !isNumber(value),
      'amount-must-be-string',
      'must be a decimal string such as "100.00", not a JSON number',
    ),
    rule(
      'amountIsText',
      (value) => typeof value === 'string' || isNumber(value),
      'invalid-type',
      'must be a decimal string such as "100.00"',
    ),
    rule(
      'isAmount',
      ofText((value) => amountFault(value) === undefined),
      'invalid-format',
      ({ value }) => amountFault(String(value)) ?? '',
    ),
  ],
  schema: {
    type: 'string',
    format: 'decimal',
    maxLength: MAX_AMOUNT_LENGTH,
    pattern: `^(0|[1-9][0-9]{0,${MAX_WHOLE_DIGITS - 1}})(\\.[0-9]+)?$`,
    not: ZERO,
  },
};

const decimalOf = (pattern: RegExp): FieldType => ({
  rules: [
    isText,
    rule(
      'isPlainDecimal',
      ofText((value) => pattern.test(value)),
      'invalid-format',
      'must be a plain decimal',
    ),
  ],
  schema: { type: 'string', format: 'decimal' },
});

/** Any plain decimal including zero, for responses. */
export const decimal = decimalOf(/^\d{1,60}(\.\d{1,18})?$/);

/** As {@link decimal}, but also below zero, for a balance after the bank took a payment back. */
export const signedDecimal = decimalOf(/^-?\d{1,60}(\.\d{1,18})?$/);

export const address: FieldType = text(42, 42, /^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hexadecimal digits');

export const flag: FieldType = {
  rules: [IsBoolean(says('invalid-type', 'must be true or false'))],
  schema: { type: 'boolean' },
};
export const whole: FieldType = {
  rules: [IsInt(says('invalid-type', 'must be a whole number'))],
  schema: { type: 'integer' },
};

export const wholeWithin = (min: number, max: number): FieldType => ({
  rules: [
    ...whole.rules,
    rule(
      'isWithin',
      (value) => typeof value !== 'number' || (value >= min && value <= max),
      'invalid-format',
      `must be a whole number from ${min} to ${max}`,
    ),
  ],
  schema: { ...whole.schema, minimum: min, maximum: max },
});

/** An object with any fields, for responses that contain a map. */
export const record: FieldType = {
  rules: [IsObject(says('invalid-type', 'must be an object'))],
  schema: { type: 'object', additionalProperties: true },
};

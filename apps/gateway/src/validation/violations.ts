import type { ValidationError } from 'class-validator';
import { validateSync } from 'class-validator';
import type { Violation } from '@ponte/kernel';
import { shownName } from './field-name';
import type { RuleContext } from './field-types';
import { isPlainObject, fieldNames, nestedShapes } from './fields';
import type { Shape, UnknownFields } from './fields';

/** Of one field, a lower rank hides a higher one: missing before wrong type before wrong format. */
const RANK: Readonly<Record<string, number>> = { 'missing-field': 0, 'amount-must-be-string': 1, 'invalid-type': 2 };
const rankOf = (code: string) => RANK[code] ?? 3;

/** Every violation that class-validator finds in a value: declared fields in their order, then unknown ones. */
export function violationsOf(shape: Shape, value: unknown, unknown: UnknownFields): Violation[] {
  if (!isPlainObject(value)) return [{ path: '', code: 'invalid-type', message: 'must be a JSON object' }];
  const unknownFields: string[] = [];
  const instance = instantiate(shape, value, '', unknownFields);
  const errors = validateSync(instance, { forbidUnknownValues: false, validationError: { target: false } });
  const violations = errors.flatMap((error) => violationsAt(error, error.property));
  if (unknown === 'ignore') return violations;
  return [
    ...violations,
    ...unknownFields.map((path): Violation => ({
      path,
      code: 'unknown-field',
      message: 'is not accepted by this operation',
    })),
  ];
}

/**
 * Creates an instance with only the declared fields, so that a field called `constructor` cannot mislead
 * class-validator. The paths of other fields are added to `unknownFields`.
 */
function instantiate(shape: Shape, value: Record<string, unknown>, prefix: string, unknownFields: string[]): object {
  const instance = new shape() as Record<string, unknown>;
  const known = new Set(fieldNames(shape));
  const inner = nestedShapes(shape);
  for (const [name, item] of Object.entries(value)) {
    const path = prefix + name;
    const nested = inner.get(name);
    if (!known.has(name)) unknownFields.push(prefix + shownName(name));
    else if (!nested) instance[name] = item;
    else if (Array.isArray(item) && item.length > nested.max) instance[name] = tooLong(nested.max);
    else if (nested.list && item !== undefined) {
      instance[name] = Array.isArray(item)
        ? item.map((one: unknown, index) =>
            isPlainObject(one) ? instantiate(nested.shape, one, `${path}[${index}].`, unknownFields) : NO_MEMBERS,
          )
        : NO_MEMBERS;
    } else instance[name] = isPlainObject(item) ? instantiate(nested.shape, item, `${path}.`, unknownFields) : item;
  }
  return instance;
}

/**
 * Replaces a value of the wrong type: what should be a list of objects, or one of its elements. It violates that rule
 * and has no fields for other rules to check. class-validator itself would treat the fields of an object as elements,
 * and accept a list inside a list.
 */
const NO_MEMBERS = '';

/** Replaces a list of more than `max` elements, and violates no other rule, because a plain object has none. */
const tooLong = (max: number) => Array<object>(max + 1).fill({});

function violationsAt(error: ValidationError, path: string): Violation[] {
  const own = firstOf(error);
  const below = (error.children ?? []).flatMap((child) =>
    violationsAt(child, Array.isArray(error.value) ? `${path}[${child.property}]` : `${path}.${child.property}`),
  );
  return [...(own ? located(own, path, error.value) : []), ...below];
}

interface OwnRuleViolation {
  readonly message: string;
  readonly context: RuleContext;
}

/** The most basic of the rules that a field violates. */
function firstOf(error: ValidationError): OwnRuleViolation | undefined {
  const contexts = (error.contexts ?? {}) as Record<string, RuleContext>;
  return Object.entries(error.constraints ?? {})
    .map(([name, message]) => ({ message, context: contexts[name] ?? { code: 'invalid-format' } }))
    .sort((a, b) => rankOf(a.context.code) - rankOf(b.context.code))[0];
}

/** Reports a rule for list elements at each element that violates it. */
function located({ message, context }: OwnRuleViolation, path: string, value: unknown): Violation[] {
  const { code, element } = context;
  if (!element || !Array.isArray(value)) return [{ path, code, message }];
  return value.flatMap((one, index): Violation[] =>
    element(one) ? [] : [{ path: `${path}[${index}]`, code, message }],
  );
}

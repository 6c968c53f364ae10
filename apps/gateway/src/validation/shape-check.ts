import type { Violation } from '@ponte/kernel';
import { lowerCaseUuid } from '@ponte/kernel';
import { getMetadataStorage } from 'class-validator';
import type { ValidationArguments, ValidatorConstraintInterface } from 'class-validator';
import { violationsOf } from './violations';
import { isPlainObject, memberDescriptions, memberNames, nullRemover, nestedShapes, rulesOf } from './members';
import type { NullRemover, Shape, Rule, UnknownMembers } from './members';

/** Rules for a body in addition to those for each field. */
export interface BodyForm {
  /** Expands a shorthand before validation. Values that it does not recognize are returned unchanged. */
  readonly prepare?: (value: unknown) => unknown;
  /** Violations of format across fields, for values of any shape. Fields of a wrong type are ignored. */
  readonly violations?: (value: unknown) => readonly Violation[];
}

/** Validates values against a shape: quickly if they are valid, with every violation if they are not. */
export class ShapeCheck {
  readonly names: readonly string[];
  private readonly accept: CompiledValidator;
  private readonly lowerIds: IdLowerer | undefined;
  private readonly lists: ReadonlySet<string>;
  private readonly removeNulls: NullRemover;

  constructor(
    private readonly shape: Shape,
    private readonly unknown: UnknownMembers,
    private readonly form: BodyForm = {},
  ) {
    this.names = memberNames(shape);
    this.accept = compileValidator(shape, unknown);
    this.removeNulls = nullRemover(shape);
    this.lowerIds = idLowerer(shape);
    this.lists = new Set(
      [...memberDescriptions(shape)].filter(([, { schema }]) => schema['type'] === 'array').map(([name]) => name),
    );
  }

  /** Whether a field is a list of plain values. As a parameter of a query, it may then be repeated. */
  isList(name: string): boolean {
    return this.lists.has(name);
  }

  /** Empty if the value has the shape. */
  violations(value: unknown): readonly Violation[] {
    const violations = this.accept(value) ? NONE : violationsOf(this.shape, value, this.unknown);
    const further = this.form.violations?.(value) ?? NONE;
    if (further.length === 0) return violations;
    const reported = new Set(violations.map(({ path }) => path));
    return [...violations, ...further.filter(({ path }) => !reported.has(path))];
  }

  /**
   * Prepares a value for validation: expands shorthands, removes optional fields that are `null` (`null` means absent)
   * and converts UUIDs, which are accepted in any case, to lower case. May change the value in place.
   */
  prepare(value: unknown): unknown {
    const whole = this.form.prepare ? this.form.prepare(value) : value;
    this.removeNulls(whole);
    this.lowerIds?.(whole);
    return whole;
  }
}

/** Changes the value in place. */
type IdLowerer = (value: unknown) => void;

/** Converts the fields that are UUIDs to lower case, at any depth of the shape; undefined if it has none. */
function idLowerer(shape: Shape): IdLowerer | undefined {
  const simple = [...memberDescriptions(shape)];
  const ids = simple.filter(([, { schema }]) => schema['format'] === 'uuid').map(([name]) => name);
  const nested = [...nestedShapes(shape)].flatMap(([name, inner]) => {
    const lower = idLowerer(inner.shape);
    return lower ? [{ name, list: inner.list, lower }] : [];
  });
  if (ids.length + nested.length === 0) return undefined;
  return (value) => {
    if (!isPlainObject(value)) return;
    for (const name of ids) {
      const id = value[name];
      if (typeof id === 'string') value[name] = lowerCaseUuid(id);
    }
    for (const { name, list, lower } of nested) {
      const inner = value[name];
      if (!list) lower(inner);
      else if (Array.isArray(inner)) inner.forEach(lower);
    }
  };
}

const NONE: readonly Violation[] = [];

class Nothing {}

/** Accepts only an object without fields. */
export const NO_MEMBERS = new ShapeCheck(Nothing, 'refuse');

/** True only if class-validator would certainly accept the value. After false, class-validator has to check. */
type CompiledValidator = (value: unknown) => boolean;

const CONDITION = 'conditionalValidation';
const NESTED = 'nestedValidation';
const ALLOWED = 'whitelistValidation';
const never: CompiledValidator = () => false;

interface Test {
  readonly constraint: ValidatorConstraintInterface;
  readonly each: boolean;
  readonly args: ValidationArguments;
}

interface Member {
  readonly name: string;
  readonly conditions: readonly ((object: object, value: unknown) => boolean)[];
  readonly tests: readonly Test[];
  readonly nested: { readonly accept: CompiledValidator; readonly list: boolean } | undefined;
}

/**
 * Compiles the rules that class-validator stores for a class into one pass over a plain object. It uses the same
 * constraint instances without looking them up for every request. class-validator costs 36 to 66 µs per body and this
 * about 1 µs, which saves more than 10 % of a quote (242 to 322 µs, docs/performance.md). For a class with a rule that
 * is not supported here, the validator accepts nothing.
 */
export function compileValidator(shape: Shape, unknown: UnknownMembers): CompiledValidator {
  const rules = rulesOf(shape);
  const names = memberNames(shape);
  const members: Member[] = [];
  for (const name of names) {
    const compiled = compileMember(
      shape,
      name,
      rules.filter((one) => one.propertyName === name),
      unknown,
    );
    if (!compiled) return never;
    members.push(compiled);
  }
  const known = new Set(names);
  return (value) => {
    if (!isPlainObject(value)) return false;
    if (unknown === 'refuse') for (const name of Object.keys(value)) if (!known.has(name)) return false;
    for (const one of members) if (!accepts(one, value)) return false;
    return true;
  };
}

function compileMember(
  shape: Shape,
  name: string,
  rules: readonly Rule[],
  unknown: UnknownMembers,
): Member | undefined {
  const tests: Test[] = [];
  const inner = nestedShapes(shape).get(name);
  for (const one of rules) {
    if (one.type === CONDITION || one.type === ALLOWED) continue;
    if (one.type === NESTED && inner) continue;
    const known = one.constraintCls ? testsOf(one, name) : undefined;
    if (!known) return undefined;
    tests.push(...known);
  }
  const conditions = rules
    .filter((one) => one.type === CONDITION)
    .map((one) => one.constraints[0] as Member['conditions'][number]);
  return {
    name,
    conditions,
    tests,
    nested: inner && { accept: compileValidator(inner.shape, unknown), list: inner.list },
  };
}

/** Undefined if a constraint is asynchronous or conditional; those are left to class-validator. */
function testsOf(one: Rule, property: string): Test[] | undefined {
  const found = getMetadataStorage().getTargetValidatorConstraints(one.constraintCls);
  if (found.length === 0 || found.some((metadata) => metadata.async) || one.validateIf) return undefined;
  return found.map((metadata) => ({
    constraint: metadata.instance,
    each: one.each,
    args: { targetName: '', property, object: {}, value: undefined, constraints: one.constraints ?? [] },
  }));
}

function accepts(member: Member, object: Record<string, unknown>): boolean {
  const value = Object.hasOwn(object, member.name) ? object[member.name] : undefined;
  for (const applies of member.conditions) if (!applies(object, value)) return true;
  for (const { constraint, each, args } of member.tests) {
    if (each && Array.isArray(value)) {
      for (const element of value) if (constraint.validate(element, args) !== true) return false;
    } else if (constraint.validate(value, args) !== true) return false;
  }
  if (!member.nested || value === undefined) return true;
  if (!member.nested.list) return member.nested.accept(value);
  return Array.isArray(value) && value.every(member.nested.accept);
}

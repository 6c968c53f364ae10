import { nestedShapes, optionalMembers } from './members';
import type { Shape } from './members';
import { isPlainObject } from './plain-object';

/** Changes the value in place. */
export type NullRemover = (value: unknown) => void;

interface NestedMember {
  readonly name: string;
  readonly list: boolean;
  readonly remove: NullRemover;
}

/**
 * Removes every optional member that is `null`, at any depth that the shape declares: in a request, null means absent.
 * A required member that is null stays and is refused. Values of another type than the shape's are left as they are.
 */
export function nullRemover(shape: Shape): NullRemover {
  const optional = optionalMembers(shape);
  const nested: NestedMember[] = [...nestedShapes(shape)].map(([name, inner]) => ({
    name,
    list: inner.list,
    remove: nullRemover(inner.shape),
  }));
  return (value) => {
    if (!isPlainObject(value)) return;
    for (const name of optional) if (value[name] === null) delete value[name];
    for (const { name, list, remove } of nested) {
      const inner = Object.hasOwn(value, name) ? value[name] : undefined;
      if (list && Array.isArray(inner)) inner.forEach(remove);
      else if (!list) remove(inner);
    }
  };
}

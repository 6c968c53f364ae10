import type { DomainEvent, EventClass, Recorded } from './event';

/** An event of a type or version that this build does not know. A consumer parks it instead of skipping it. */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
  constructor(
    readonly type: string,
    readonly version: number,
  ) {
    super(`event ${type} version ${version} is not known`);
  }
}

/** Brings recorded events to the current version of their type, step by step. */
export function upcaster(classes: readonly EventClass[]): <E extends DomainEvent>(recorded: Recorded) => Recorded<E> {
  const known = new Map(classes.map((one) => [one.type, one]));
  return <E extends DomainEvent>(recorded: Recorded): Recorded<E> => {
    const target = known.get(recorded.type);
    if (!target || recorded.version > target.version) throw new UnknownEvent(recorded.type, recorded.version);
    if (recorded.version === target.version) return recorded as Recorded<E>;
    let data: object = recorded.data;
    for (let version = recorded.version; version < target.version; version += 1) {
      const step = target.upcasts[version];
      if (!step) throw new UnknownEvent(recorded.type, recorded.version);
      data = step(data as never);
    }
    return { ...recorded, version: target.version, data } as Recorded<E>;
  };
}

/** What keeps readers of the log from going on until someone acts. */
export interface StoreFault {
  readonly kind: 'foreign-event' | 'position' | 'access';
  /** Whose reading it stops: the name of a reader, or its categories. */
  readonly reader: string;
  /** Of a foreign event. */
  readonly stream?: string;
  readonly revision?: string;
  /** What is wrong and what to do about it. Names, never data. */
  readonly text: string;
}

/** The faults there are now, one for each reader. */
export class StoreFaults {
  private readonly faults = new Map<string, StoreFault>();

  /** True when this was not known yet. */
  raise(fault: StoreFault): boolean {
    const before = this.faults.get(fault.reader);
    this.faults.set(fault.reader, fault);
    return before?.text !== fault.text;
  }

  clear(reader: string, kind?: StoreFault['kind']): void {
    if (kind === undefined || this.faults.get(reader)?.kind === kind) this.faults.delete(reader);
  }

  list(): readonly StoreFault[] {
    return [...this.faults.values()];
  }
}

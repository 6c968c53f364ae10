/** A fault that stops readers of the log until an operator acts. */
export interface StoreFault {
  readonly kind: 'foreign-event' | 'position' | 'access';
  /** The reader that is stopped: its name or its categories. */
  readonly reader: string;
  /** Set for a foreign event. */
  readonly stream?: string;
  readonly revision?: string;
  /** What is wrong and what to do about it. Contains names, never data. */
  readonly text: string;
}

/** The current faults, at most one per reader. */
export class StoreFaults {
  private readonly faults = new Map<string, StoreFault>();

  /** True if the fault is new. */
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

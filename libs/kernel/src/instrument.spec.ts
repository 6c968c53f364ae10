import { instrument } from './instrument';

class Counter {
  #count = 0;
  readonly name: string = 'counter';
  get count(): number {
    return this.#count;
  }
  add(by: number): number {
    this.#count += by;
    return this.#count;
  }
  reset(): void {
    this.#count = 0;
  }
}

describe('instrument', () => {
  it('forwards members that no decorator replaces: methods with their state, fields and getters', () => {
    const counter = new Counter();
    const decorated = instrument(counter, [() => ({ reset: () => undefined })]);
    expect([decorated.add(2), decorated.count, decorated.name]).toEqual([2, 2, 'counter']);
    decorated.reset();
    counter.add(1);
    expect(decorated.count).toBe(3);
  });

  it('makes the first decorator the innermost', () => {
    const twice = (inner: Counter) => ({ add: (by: number) => inner.add(2 * by) });
    const plusOne = (inner: Counter) => ({ add: (by: number) => inner.add(by + 1) });
    expect(instrument(new Counter(), [twice, plusOne]).add(3)).toBe(8);
    expect(instrument(new Counter(), [plusOne, twice]).add(3)).toBe(7);
  });

  it('returns the port itself if no decorator replaces anything', () => {
    const counter = new Counter();
    expect(instrument(counter, [undefined, () => undefined])).toBe(counter);
    expect(instrument(counter, [])).toBe(counter);
  });

  it('decorates a decorated port and a plain object', () => {
    const port = { call: (text: string) => `<${text}>`, size: 1 };
    const once = instrument(port, [(inner) => ({ call: (text: string) => inner.call(text.toUpperCase()) })]);
    const both = instrument(once, [(inner) => ({ call: (text: string) => `${inner.call(text)}!` })]);
    port.size = 2;
    expect([both.call('a'), both.size]).toEqual(['<A>!', 2]);
  });

  it('calls the method that the port has at the time of the call', () => {
    const port = { call: () => 'before', other: () => 1 };
    const decorated = instrument(port, [() => ({ other: () => 2 })]);
    port.call = () => 'after';
    expect([decorated.call(), decorated.other()]).toEqual(['after', 2]);
  });
});

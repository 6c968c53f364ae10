export function cyclesIn(sources: ReadonlyMap<string, string>): string[][];

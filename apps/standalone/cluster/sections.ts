import type { ServiceName } from '@ponte/contracts';

interface Printed {
  readonly service: ServiceName;
  readonly out: string;
}

/**
 * The outputs of several services as each of them prints it, with its units and titles, below the names of the services
 * that printed it. So "no parked events" of six services is one section.
 */
export function sectionsOf(printed: readonly Printed[]): string[] {
  const services = new Map<string, ServiceName[]>();
  for (const { service, out } of printed) {
    const text = out.trimEnd();
    if (text !== '') services.set(text, [...(services.get(text) ?? []), service]);
  }
  return [...services].map(([text, names]) => `${names.join(', ')}:\n${text.replace(/^(?=.)/gm, '  ')}`);
}

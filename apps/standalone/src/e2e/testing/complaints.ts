import { UNAVAILABLE_CODES } from '@ponte/kernel';

interface Line {
  readonly level?: number;
  readonly err?: { readonly code?: unknown; readonly message?: string };
  readonly error?: { readonly name?: string; readonly message?: string };
}

const WARN = 40;
const OUTAGE = 'Unavailable';
const CODES: readonly unknown[] = UNAVAILABLE_CODES;
/** Defects that have the same name: a service failed unexpectedly, or a policy read a state older than its event. */
const DEFECT = /^unexpected |older than the event being handled/;

/**
 * The lines of a log at level `warn` that a slow machine cannot have caused. While the machine is busy with other work,
 * requests exceed their time limits. The service then logs that something was unavailable, and repeats the step.
 */
export function complaintsIn(log: string): string[] {
  return log.split('\n').filter((line) => line !== '' && !isOutage(line));
}

function isOutage(text: string): boolean {
  const { level, err, error } = lineOf(text);
  const isNamed = CODES.includes(err?.code) || error?.name === OUTAGE;
  return level === WARN && isNamed && !DEFECT.test(err?.message ?? error?.message ?? '');
}

/** Empty for text that is no JSON. */
function lineOf(text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return {};
  }
}

import { CommanderError } from 'commander';
import { EXIT, failureJson, failureOf, failureText } from './failures';
import { createProgram } from './program';
import type { Host } from './session';

/** Runs one command line (without node and script) and returns the exit code. Never throws. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const json = argv.includes('--json');
  try {
    await createProgram(host).parseAsync([...argv], { from: 'user' });
    return host.signal.aborted ? EXIT.interrupted : EXIT.done;
  } catch (error) {
    // Commander has already written the error or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (host.signal.aborted) return EXIT.interrupted;
    const failure = failureOf(error);
    host.err(`${json ? failureJson(failure) : failureText(failure)}\n`);
    if (host.env['DEBUG'] === 'ponte' && error instanceof Error) host.err(`${error.stack ?? ''}\n`);
    return failure.exit;
  }
}

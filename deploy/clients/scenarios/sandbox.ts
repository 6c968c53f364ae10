/** The input and the output of each scenario. */
declare const process: { readonly env: Readonly<Record<string, string | undefined>>; exitCode?: number };

const variable = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
};

export const baseUrl = variable('PONTE_BASE_URL');
export const apiKey = variable('PONTE_API_KEY');
export const accountId = variable('PONTE_ACCOUNT_ID');

/** One pixel. */
export const PNG_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';
export const png = (): Blob =>
  new Blob([Uint8Array.from(atob(PNG_BASE64), (character) => character.charCodeAt(0))], { type: 'image/png' });

export interface Outcome {
  readonly order: { readonly id: string; readonly state: string };
  readonly listed: readonly string[];
  readonly files: readonly string[];
  readonly refusal: string | undefined;
}

export const report = (run: () => Promise<Outcome>): void => {
  run().then(
    (outcome) => console.log(JSON.stringify(outcome)),
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
};

/** Returns the value of a response. Throws if the request was refused. */
export function must<Value>(value: Value | undefined, error?: unknown): Value {
  if (value === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return value;
}

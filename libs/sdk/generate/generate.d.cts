/** The text of each file of `src/generated`, from `/openapi.json` and the catalogue of `/api/v1/errors`. */
export function generate(
  document: object,
  errors: readonly { readonly code: string }[],
): Promise<Record<string, string>>;

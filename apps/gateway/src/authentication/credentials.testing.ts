/** The code of the error that a function throws, or `none`. */
export const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as { definition: { code: string } }).definition.code;
  }
  return 'none';
};

export const BEARER = `sk_test_${'a'.repeat(24)}_${'s'.repeat(43)}`;
export const KEY_ID = `ak_test_${'a'.repeat(24)}`;

/** The names of the rules in the documentation and in the console's checklist. */
export const REQUEST_RULES: readonly { readonly rule: number; readonly title: string }[] = [
  { rule: 1, title: 'The parent account uses this onboarding mode' },
  { rule: 2, title: 'The parent account has the capability of the reward tier' },
  { rule: 3, title: 'The identifier matches the tax residence, and its number is valid' },
  { rule: 4, title: 'The holder is 18 or older' },
  { rule: 5, title: 'An address in Brazil has a state' },
  { rule: 6, title: 'The document type is accepted for the tax residence, and all required sides are present' },
  { rule: 7, title: 'A politically exposed person has details' },
  { rule: 8, title: 'The representative is not the holder' },
  { rule: 9, title: "The representative's identifier matches the tax residence" },
  { rule: 10, title: "The representative's document, address and PEP follow the same rules" },
  { rule: 11, title: 'The parent account uploaded every file' },
  { rule: 12, title: 'External wallets are unique and not registered to another account' },
];

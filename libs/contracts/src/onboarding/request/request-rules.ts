/** The rules as the documents and the console's checklist name them. */
export const REQUEST_RULES: readonly { readonly rule: number; readonly title: string }[] = [
  { rule: 1, title: 'The parent onboards in this mode' },
  { rule: 2, title: 'The parent holds the capability of the reward tier' },
  { rule: 3, title: 'Identifier and tax residence agree, and the number is valid' },
  { rule: 4, title: 'The holder is 18 or older' },
  { rule: 5, title: 'The address names its federal unit' },
  { rule: 6, title: 'The document fits the tax residence, with the sides it needs' },
  { rule: 7, title: 'A declared PEP comes with its details' },
  { rule: 8, title: 'The representative is another person' },
  { rule: 9, title: "The representative's identifier and tax residence agree" },
  { rule: 10, title: "The representative's document, address and PEP follow the same rules" },
  { rule: 11, title: 'Every file was uploaded by the parent' },
  { rule: 12, title: 'External wallets are unique and belong to no one else' },
];

/** Stands for a list where a liveness session failed after its request was approved. */
export const LIVENESS_LIST = 'liveness';

/** Stands for a list with more matching entries than are shown. The entry begins with the name of that list. */
export const MORE_MATCHES_LIST = 'more-matches';

/** Stands for a list where a name has letters that cannot be compared reliably. */
export const NAME_LETTERS_LIST = 'name-letters';

/** Whether the name means something other than a list of people, so that no list may have it. */
export const isOwnList = (name: string): boolean =>
  [LIVENESS_LIST, MORE_MATCHES_LIST, NAME_LETTERS_LIST].includes(name.toLowerCase());

/** Whether the list has politically exposed people, who are not sanctioned. Other lists are lists of sanctions. */
export const isPepList = (name: string): boolean => /^pep(-|$)/i.test(name);

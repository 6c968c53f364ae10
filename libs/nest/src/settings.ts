/** One variable of the environment, as the documents print it. */
export interface Setting {
  readonly name: string;
  readonly meaning: string;
  readonly default: string;
}

/** A row as its JSON has it, with an ISO text for each date. */
export type Reply<Row> = {
  [Name in keyof Row]: Date extends Row[Name] ? Exclude<Row[Name], Date> | string : Row[Name]
}

/** The runtime has these already, and the compiler does not know them yet: numbers with the digits that they were sent with. */
interface JSON {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): object
  isRawJSON(value: object): boolean
}

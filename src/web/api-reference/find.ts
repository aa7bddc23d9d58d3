/** The one element of the page that the server has put there for this. */
export function find<Kind extends Element = HTMLElement>(selector: string, within: ParentNode = document): Kind {
  const found = within.querySelector<Kind>(selector)
  if (!found) throw new Error(`The page has no ${selector}.`)
  return found
}

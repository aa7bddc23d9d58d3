const paging = 'For the second page of 20 rows, send limit=20&offset=20, or follow the header Link: rel="next".'
const order = 'Send order=column, or order=column.desc.'
const columns = 'Send select=column,column; related rows come with select=*,resource(*).'
const search = 'Send a filter on a column, such as column=ilike.*word* or column=wfts.words.'

/** Parameters that other APIs have, in small letters and without "_", and what to send instead. */
const hints: Readonly<Record<string, string>> = {
  ...{ page: paging, pages: paging, pagenumber: paging, pageno: paging, pagesize: paging, perpage: paging },
  ...{ skip: paging, start: paging, take: paging, top: paging, first: paging, after: paging, cursor: paging },
  ...{ sort: order, sortby: order, orderby: order, sortorder: order },
  ...{ fields: columns, include: columns, expand: columns, embed: columns },
  ...{ q: search, query: search, search: search, filter: search, where: search },
}

/** What to send instead of a parameter that other APIs have: `page` → limit and offset; null where it is none of them. */
export function hintForParameter(parameter: string): string | null {
  const name = parameter.toLowerCase().replaceAll('_', '')
  return Object.hasOwn(hints, name) ? (hints[name] ?? null) : null
}

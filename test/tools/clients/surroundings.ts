const { API_URL = '', API_KEY = '', API_SECRET = '', BID_ID = '' } = process.env

export const url = API_URL
export const bidId = BID_ID
export const headers = { apikey: API_KEY, 'X-API-Secret': API_SECRET }

/** What a client has done, for the test to compare. */
export function print(done: Record<'created' | 'changed' | 'code', string | undefined> & { names: string[] }): void {
  console.log(JSON.stringify(done))
}

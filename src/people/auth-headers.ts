/** Only we set these: the request that better-auth sees is made anew. */
export const addressHeader = 'x-client-address'
export const requestIdHeader = 'x-request-id'

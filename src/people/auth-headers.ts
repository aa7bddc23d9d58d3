/** Clients cannot set these, because better-auth gets a new request. */
export const addressHeader = 'x-client-address'
export const requestIdHeader = 'x-request-id'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isRequestId = (text: string): boolean => uuid.test(text)

export const noRequestId = 'This is no request id.'

import { useEffect, useState } from 'react'

/** The address of a text as a file, for as long as it is on the screen. */
export function useFile(text: string): string {
  const [href, setHref] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
    setHref(made)
    return () => URL.revokeObjectURL(made)
  }, [text])
  return href
}

import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const probeMs = 2_000
let probe: ReturnType<typeof setTimeout> | undefined

// A browser that is online again may still not reach the server, so both events ask the server itself.
onlineManager.setEventListener(() => {
  addEventListener('offline', markUnreachable)
  addEventListener('online', () => void look())
  return undefined
})

/** Whether the server can be reached. While it cannot, queries wait, and go on by themselves afterwards. */
export const useIsReachable = (): boolean =>
  useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )

export function markReachable(): void {
  clearTimeout(probe)
  probe = undefined
  onlineManager.setOnline(true)
}

export function markUnreachable(): void {
  onlineManager.setOnline(false)
  probe ??= setTimeout(() => void look(), probeMs)
}

async function look(): Promise<void> {
  clearTimeout(probe)
  probe = undefined
  try {
    await fetch('/health/live', { cache: 'no-store' })
    markReachable()
  } catch {
    markUnreachable()
  }
}

/** False if the child process is ending: its channel is closed before its end is known here. */
export function trySend(child: Bun.Subprocess, message: unknown): boolean {
  try {
    child.send(message)
    return true
  } catch {
    return false
  }
}

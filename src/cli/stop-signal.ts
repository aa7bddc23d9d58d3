/** How often to check whether npm still runs. */
const lookMs = 1000

/** Resolves on the first signal, or when the npm process that started the service has ended. A second signal ends the process at once. */
export function stopSignal(isUnderNpm: boolean): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    const stop = () => {
      if (isStopping) process.exit(1)
      isStopping = true
      resolve()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    if (isUnderNpm) watchParent(resolve)
  })
}

/** npm passes on SIGTERM and SIGINT only. After any other end of it, nobody would stop the service, which keeps its port. */
function watchParent(ended: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    ended()
  }, lookMs)
  timer.unref()
}
